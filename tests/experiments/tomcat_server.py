# SPDX-License-Identifier: Apache-2.0
"""Debian's Tomcat 10 in a folder of its own: a small file, and a servlet (Notes.java) that logs what is posted to it and
tells what the connector has counted. Tomcat's own settings throughout, but for the port and the length of the queue."""
import os
import pathlib
import re
import subprocess
import time
import urllib.request

from lab import HERE, find, free_port, pinned, wait_for_port

HOME = pathlib.Path("/usr/share/tomcat10")
NEEDED = ("javac", "java", HOME / "bin/bootstrap.jar")

SERVER = """<Server port="-1">
  <Service name="Catalina">
    <Connector port="@PORT@" address="127.0.0.1" protocol="HTTP/1.1" acceptCount="1000"/>
    <Engine name="Catalina" defaultHost="localhost">
      <Host name="localhost" appBase="webapps" autoDeploy="false"/>
    </Engine>
  </Service>
</Server>
"""
WEB = """<web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="5.0" metadata-complete="true">
  <servlet><servlet-name>default</servlet-name><servlet-class>org.apache.catalina.servlets.DefaultServlet</servlet-class></servlet>
  <servlet><servlet-name>notes</servlet-name><servlet-class>Notes</servlet-class></servlet>
  <servlet-mapping><servlet-name>default</servlet-name><url-pattern>/</url-pattern></servlet-mapping>
  <servlet-mapping><servlet-name>notes</servlet-name><url-pattern>/notes</url-pattern></servlet-mapping>
</web-app>
"""
LOGGING = """handlers = 1notes.org.apache.juli.FileHandler, java.util.logging.ConsoleHandler
.handlers = java.util.logging.ConsoleHandler
notes.handlers = 1notes.org.apache.juli.FileHandler
notes.useParentHandlers = false
1notes.org.apache.juli.FileHandler.directory = @BASE@/logs
1notes.org.apache.juli.FileHandler.prefix = notes.
1notes.org.apache.juli.FileHandler.formatter = org.apache.juli.OneLineFormatter
"""


class Tomcat:
    def __init__(self, folder, core):
        self.base = folder / "tomcat"
        root = self.base / "webapps/ROOT"
        for made in ("conf", "logs", "temp", "work", "webapps/ROOT/WEB-INF/classes"):
            (self.base / made).mkdir(parents=True)
        self.port = free_port()
        (self.base / "conf/server.xml").write_text(SERVER.replace("@PORT@", str(self.port)))
        (self.base / "conf/web.xml").write_text(WEB)
        (self.base / "conf/logging.properties").write_text(LOGGING.replace("@BASE@", str(self.base)))
        (root / "test.html").write_text("Hello world.\n")
        subprocess.run([find("javac"), "-proc:none", "-cp", f"{HOME}/lib/servlet-api.jar", "-d", root / "WEB-INF/classes",
                        HERE / "Notes.java"], check=True)
        log = folder / "tomcat.log"
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                pinned(core, find("java"), "-Xmx512m", f"-Dcatalina.home={HOME}", f"-Dcatalina.base={self.base}",
                       f"-Djava.io.tmpdir={self.base}/temp", "-Djava.util.logging.manager=org.apache.juli.ClassLoaderLogManager",
                       f"-Djava.util.logging.config.file={self.base}/conf/logging.properties", "-cp",
                       f"{HOME}/bin/bootstrap.jar:{HOME}/bin/tomcat-juli.jar", "org.apache.catalina.startup.Bootstrap", "start"),
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)
        wait_for_port(self.port, self.process, log)
        self.counted()

    def url(self, path):
        return f"http://127.0.0.1:{self.port}{path}"

    def counted(self):
        """Requests by the connector's own count, without our questions. It counts a request a moment after its answer."""
        seen = -1
        while True:
            page = urllib.request.urlopen(self.url("/notes"), timeout=30).read()
            self.questions = getattr(self, "questions", -1) + 1
            count = int(page.split()[0]) - self.questions
            if count == seen:
                return count
            seen = count
            time.sleep(0.3)

    def noted(self):
        """How often the log holds each number; what was written last is there once Tomcat has ended."""
        seen = {}
        for path in (self.base / "logs").glob("notes.*"):
            with open(path, encoding="utf-8") as lines:
                for line in lines:
                    found = re.search(r"Test (\d+)$", line)
                    if found:
                        seen[int(found.group(1))] = seen.get(int(found.group(1)), 0) + 1
        return seen

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def version():
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libtomcat10-java"], capture_output=True, text=True, check=False)
    return f"Tomcat {done.stdout.split('-')[0]}" if done.stdout else f"Tomcat of {os.fspath(HOME)}"
