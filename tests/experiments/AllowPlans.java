// SPDX-License-Identifier: Apache-2.0
import com.thoughtworks.xstream.XStream;
import org.apache.jmeter.JMeter;
import org.apache.jmeter.save.SaveService;
import org.apache.jmeter.util.JMeterUtils;

/**
 * JMeter's main, made to read its plans: JMeter 2.13 is older than the list of allowed classes that XStream has since 1.4.18,
 * and Debian ships it with a later one, which refuses every plan.
 */
public final class AllowPlans {
    public static void main(String[] arguments) throws ReflectiveOperationException {
        String home = System.getProperty("jmeter.home");
        JMeterUtils.setJMeterHome(home); // SaveService looks there as soon as it is touched
        JMeterUtils.loadJMeterProperties(home + "/bin/jmeter.properties");
        for (String name : new String[] {"JMXSAVER", "JTLSAVER"}) {
            var field = SaveService.class.getDeclaredField(name);
            field.setAccessible(true);
            ((XStream) field.get(null)).allowTypesByWildcard(new String[] {"org.apache.jmeter.**", "org.apache.jorphan.**"});
        }
        new JMeter().start(arguments);
    }
}
