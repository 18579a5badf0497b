# SPDX-License-Identifier: Apache-2.0
"""The HTML page in a browser: headless Chromium opens it as people do, on wide and narrow screens and on paper."""

import datetime
import html
import json
import math
import os
import re
import subprocess
import tempfile

from answers import fault_11, ok
from case import Case, mark
from lather import SLOWNESS, binary
from scripted_server import Server, answering

# What the page measures about itself once it is laid out in a frame of some width.
PROBE = """
<pre id="found"></pre><script>
const frame = document.querySelector("iframe");
frame.onload = () => {
  const page = frame.contentDocument, wide = page.documentElement;
  const box = element => element.getBoundingClientRect();
  const shown = element => box(element).width > 0;
  const overlaps = [...page.querySelectorAll(".xs, .ys")].flatMap(axis => {
    const labels = [...axis.children].filter(shown).map(box);
    return labels.flatMap((a, i) => labels.slice(i + 1).filter(b =>
      a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3));
  });
  const outside = [...page.querySelectorAll("body *")].filter(element => shown(element) &&
    !element.closest(".scroll, pre, .area svg") && (box(element).right > wide.clientWidth + 1 || box(element).left < -1));
  document.getElementById("found").textContent = JSON.stringify({
    wide: wide.clientWidth, needed: wide.scrollWidth, overlaps: overlaps.length,
    outside: outside.map(element => element.tagName + "." + element.className + " " + element.textContent.slice(0, 40)),
    charts: [...page.querySelectorAll("figure.chart")].map(chart => ({
      id: chart.id, height: box(chart.querySelector(".area")).height,
      labels: [...chart.querySelectorAll(".xs span, .ys span")].filter(shown).length,
      empty: [...chart.querySelectorAll(".area path:not(.grid)")].filter(path => !path.getAttribute("d")).length})),
    sections: [...page.querySelectorAll("h2")].map(heading => heading.textContent),
    faults: page.querySelectorAll("#faults tr, #faults-more tr").length,
    background: getComputedStyle(page.body).backgroundColor, text: page.body.innerText});
};
</script>
"""


class Page(Case):
    def chromium(self, *options):
        program = self.need("chromium", "chromium")
        with tempfile.TemporaryDirectory() as profile:
            return subprocess.run(
                [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", f"--user-data-dir={profile}",
                 "--virtual-time-budget=3000", *options], capture_output=True, timeout=120 * SLOWNESS, check=True).stdout

    def look(self, page, width, *options):
        """Lays the page out in a frame of this width and returns what PROBE found."""
        with open(page, encoding="utf-8") as file:
            text = file.read()
        with tempfile.NamedTemporaryFile("w", suffix=".html", encoding="utf-8") as frame:
            frame.write(f'<!DOCTYPE html><meta charset="utf-8"><body><iframe srcdoc="{html.escape(text)}" '
                        f'style="width:{width}px;height:900px;border:0"></iframe>{PROBE}')
            frame.flush()
            dom = self.chromium("--dump-dom", "--window-size=1500,1000", *options, "file://" + frame.name).decode()
        return json.loads(html.unescape(re.search(r'<pre id="found">(.*?)</pre>', dom, re.S).group(1)))

    def made(self, target, *args, **how):
        """The page of a run, and its Result."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        page = os.path.join(folder.name, "page.html")
        result = self.fire(target, *args, "--html", page, **how)
        self.assert_report(result)
        return page, result

    def assert_fits(self, page, charts, widths=(1200, 768, 360)):
        """No overflow, no label on another, every chart drawn; returns what was found last."""
        for width in widths:
            found = self.look(page, width)
            self.assertLessEqual(found["needed"], found["wide"], f"{width}: wider than the window")
            self.assertEqual(found["outside"], [], f"{width}: outside of the window")
            self.assertEqual(found["overlaps"], 0, f"{width}: labels on each other")
            self.assertEqual([chart["id"] for chart in found["charts"]], charts)
            for chart in found["charts"]:
                self.assertGreater(chart["height"], 80, chart)
                self.assertGreaterEqual(chart["labels"], 4, chart)
                self.assertEqual(chart["empty"], 0, chart)
            self.assertNotRegex(found["text"], r"\b(nan|inf|undefined|null)\b")
        return found

    @mark("heavy")
    def test_a_run_with_failures_is_drawn(self):
        script = answering(lambda request: ok(fault_11(), "500 Internal Server Error") if request.number % 9 == 0 else ok(), 0.003)
        with Server(script) as server:
            page, _ = self.made(server, None, 5, "-t", "3", "--fail-if", "errors>1%")
        found = self.assert_fits(page, ["latency", "rate", "failures", "percentiles", "distribution"])
        self.assertEqual(found["faults"], 2)  # the heading and one kind
        for section in ("Conditions of --fail-if", "Over time", "Latency", "Times (ms)", "Outcomes of the requests",
                        "SOAP faults by code and reason", "What was run", "The whole report"):
            self.assertIn(section, found["sections"])
        self.assertIn("FAILS THE RUN", found["text"])

    @mark("heavy")
    def test_nothing_and_one_request_are_drawn(self):
        page, _ = self.made("http://127.0.0.1:1/", 3, 1)
        found = self.assert_fits(page, ["rate", "failures"], (1200, 360))
        self.assertIn("3 failed", found["text"])
        self.assertIn("Nothing was answered", found["text"])
        with Server(answering(ok(), 0.002)) as server:
            page, _ = self.made(server, 1, 1)
        found = self.assert_fits(page, ["latency", "rate", "percentiles", "distribution"], (1200, 360))
        self.assertIn("all good", found["text"])
        self.assertIn("No request failed.", found["text"])

    @mark("heavy")
    def test_an_open_loop_and_steps_are_drawn(self):
        with Server(answering(ok(), 0.004)) as server:
            page, _ = self.made(server, None, 4, "--rate", "100/s", "-t", "2s", "--warmup", 5)
        found = self.assert_fits(page, ["latency", "response", "rate", "percentiles", "distribution"], (1200, 360))
        self.assertIn("5 requests, 0 failed, 5 sent whole", found["text"])
        with Server(answering(ok(), 0.004)) as server:
            page, _ = self.made(server, None, 1, "--find-rate", "p95<5s", "--steps", "20,4000x500ms")
        found = self.assert_fits(page, ["latency", "response", "rate", "percentiles", "distribution"], (1200, 360))
        self.assertIn("Steps", found["sections"])
        self.assertRegex(found["text"], r"Highest rate that held: \d+\.\d\d a second \(p95<5s\)")
        self.assertIn("rate not reached", found["text"])

    @mark("heavy")
    def test_two_hundred_kinds_of_fault_and_long_words_fit(self):
        def word(number):
            return "".join(chr(ord("a") + int(digit)) for digit in f"{number:03d}") * 30

        script = answering(lambda request: ok(fault_11(word(request.number % 200)), "500 Internal Server Error"))
        with Server(script) as server:
            page, _ = self.made(server, 400, 4)
        found = self.assert_fits(page, ["latency", "rate", "failures", "percentiles", "distribution"], (1200, 360))
        self.assertEqual(found["faults"], 202)
        self.assertIn("180 more kinds", found["text"])

    @mark("heavy")
    def test_a_hundred_thousand_points_of_counters_are_drawn_on_the_same_axis(self):
        with Server(answering(ok(fields=["Date: " + datetime.datetime.now(datetime.timezone.utc).strftime(
                "%a, %d %b %Y %H:%M:%S GMT")]), 0.005)) as server:
            page, result = self.made(server, None, 2, "-t", "2")
        saved = self.file(json.dumps(result.json).encode(), ".json")
        start = result.json["run"]["wall_start_ns"] / 1e9
        lines = ['"(PDH-CSV 4.0) (W. Europe Standard Time)(-60)","\\\\SRV\\Processor(_Total)\\% Processor Time","\\\\SRV\\' +
                 "Long" * 30 + '"']
        for i in range(100000):
            at = datetime.datetime.fromtimestamp(start - 1 + i * 4 / 100000 + 3600, datetime.timezone.utc)
            stamp = at.strftime("%m/%d/%Y %H:%M:%S.") + f"{at.microsecond // 1000:03d}"
            lines.append(f'"{stamp}","{50 + 40 * math.sin(i / 9000):.6f}","{i}"')
        counters = self.file("\r\n".join(lines).encode(), ".csv")
        done = subprocess.run([binary(), "report", saved, "--html", page, "--counters", counters], capture_output=True,
                              timeout=60 * SLOWNESS, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertLess(os.path.getsize(page), 300000)
        found = self.assert_fits(page, ["latency", "counter-1", "counter-2", "rate", "percentiles", "distribution"], (1200, 360))
        self.assertRegex(found["text"], r"agree to the second\..* They begin (1\.00|0\.99)\d s before the run and last (4\.00|3\.99)\d s\.")

    @mark("heavy")
    def test_it_is_dark_where_the_screen_is_and_light_on_paper(self):
        with Server(answering(ok(), 0.002)) as server:
            page, _ = self.made(server, 50, 2)
        self.assertEqual(self.look(page, 800)["background"], "rgb(255, 255, 255)")
        self.assertEqual(self.look(page, 800, "--force-dark-mode", "--blink-settings=preferredColorScheme=0")["background"],
                         "rgb(20, 23, 27)")
        with tempfile.TemporaryDirectory() as folder:
            paper = os.path.join(folder, "page.pdf")
            self.chromium(f"--print-to-pdf={paper}", "--force-dark-mode", "--blink-settings=preferredColorScheme=0", "file://" + page)
            self.assertGreater(os.path.getsize(paper), 10000)

    def test_a_page_asks_for_nothing(self):
        """It opens offline: no address in it but as text, no script, and it forbids both to itself."""
        with Server(answering(ok(), 0.002)) as server:
            page, _ = self.made(server, 50, 2)
        with open(page, encoding="utf-8") as file:
            text = file.read()
        self.assertNotRegex(text, r"(?i)<(script|link|img|iframe|object|embed|form)\b|\b(src|href|onload)=|@import|url\(")
        self.assertIn("default-src 'none'", text)

    def test_counters_that_cannot_be_read_do_not_cost_the_page(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        page = os.path.join(folder.name, "page.html")
        for content, said in ((b"time,a\nnever,1\n", "never"), (b"", "no rows"), (b"\xff\xfe", "UTF-16")):
            with Server(answering(ok())) as server:
                result = self.fire(server, 5, 1, "--html", page, "--counters", self.file(content, ".csv"))
            self.assert_report(result)
            self.assertEqual(result.exit, 3, result)
            self.assertIn(said, result.err)
            self.assertGreater(os.path.getsize(page), 10000)
        with Server(answering(ok())) as server:
            result = self.fire(server, 5, 1, "--counters", "c.csv", with_json=False)
        self.assertEqual(result.exit, 2, result)
        self.assertEqual(server.connections, 0)
