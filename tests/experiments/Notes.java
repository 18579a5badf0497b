// SPDX-License-Identifier: Apache-2.0
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.logging.Logger;
import javax.management.JMException;
import javax.management.ObjectName;

/** POST: writes the body into the log. GET: what the connector has counted, requests and errors, this one not included. */
public final class Notes extends HttpServlet {
    private static final Logger LOG = Logger.getLogger("notes");

    @Override
    protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
        LOG.info(new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        response.setContentType("text/plain");
        response.getOutputStream().print("noted\n");
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        long requests = 0;
        long errors = 0;
        try {
            var server = ManagementFactory.getPlatformMBeanServer();
            for (ObjectName name : server.queryNames(new ObjectName("Catalina:type=GlobalRequestProcessor,*"), null)) {
                requests += ((Number) server.getAttribute(name, "requestCount")).longValue();
                errors += ((Number) server.getAttribute(name, "errorCount")).longValue();
            }
        } catch (JMException unexpected) {
            throw new IOException(unexpected);
        }
        response.setContentType("text/plain");
        response.getOutputStream().print(requests + " " + errors + "\n");
    }
}
