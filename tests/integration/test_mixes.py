# SPDX-License-Identifier: Apache-2.0
"""Runs of several messages: exact counts by weight, an order that can be told, and each message's own verdict and line.

Rows of the conformance list: B102.
"""

import collections
import json
import os
import re
import tempfile

from answers import SOAP_11, SOAP_12, TYPE_12, envelope, fault_11, ok
from case import Case
from lather import run
from scripted_server import Server, answering


def order(word):
    """An envelope whose only content is an element of this name."""
    return f'<s:Envelope xmlns:s="{SOAP_11}"><s:Body><{word} xmlns="urn:mix"/></s:Body></s:Envelope>'.encode()


def word_of(request):
    """Which of the orders a request is."""
    return re.search(rb"<s:Body><(\w+)", request.body).group(1).decode()


class Mixes(Case):
    def folder(self, **files):
        """A folder with these files; __ in a name is a dot."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        for name, content in files.items():
            with open(os.path.join(folder.name, name.replace("__", ".")), "wb") as file:
                file.write(content)
        return folder.name

    def orders(self, *words):
        """A folder with an order in a file of its name for each word."""
        return self.folder(**{f"{word}__xml": order(word) for word in words})

    def fire_mix(self, server, n, c, *options, **how):
        """With the messages among the options."""
        return self.fire(server, n, c, *options, body=None, **how)

    def line_of(self, result, name):
        """The cells of a message's line in the text report."""
        block = result.out.split("Messages of the mix (times in ms)\n", 1)[1].split("\n\n", 1)[0]
        heads = re.split(r"  +", block.splitlines()[0].strip())
        self.assertEqual(heads, ["requests", "ok", "failed", "KB sent", "KB received", "mean", "p50", "p95", "p99"])
        for line in block.splitlines()[1:]:
            cells = re.split(r"  +", line.strip())
            if cells[0] == name:
                return dict(zip(heads, cells[1:]))
        self.fail(f"no line begins with {name}\n{block}")
        return None

    def message_of(self, result, name):
        found = [message for message in result.json["messages"] if message["name"] == name]
        self.assertEqual(len(found), 1, f"{name}\n{result}")
        return found[0]

    def assert_sums(self, result):
        """Each figure of the messages together is that of the whole."""
        messages = result.json["messages"]
        for ours, group, whole in (("started", "counts", "started"), ("finished", "counts", "finished"),
                                   ("answer_body_bytes", "counts", "body_bytes"), ("bytes_sent", "traffic", "bytes_sent"),
                                   ("bytes_received", "traffic", "bytes_received"),
                                   ("requests_sent_whole", "traffic", "requests_sent_whole"),
                                   ("requests_sent_again", "traffic", "requests_sent_again")):
            self.assertEqual(sum(message[ours] for message in messages), result.json[group][whole], f"{ours}\n{result}")
        for outcome, count in result.outcomes.items():
            self.assertEqual(sum(message["outcomes"][outcome] for message in messages), count, f"{outcome}\n{result}")
        buckets = collections.Counter()
        for message in messages:
            buckets.update(dict(message["total"]["buckets_ns"]))
        self.assertEqual(buckets, collections.Counter(dict(result.json["times"]["total"]["buckets_ns"])))

    # ---- weights and order

    def exact(self, n, c, *options):
        """5 : 2 : 1 of three messages, seen by the server."""
        folder = self.orders("a", "b", "c")
        weights = {"a": 5, "b": 2, "c": 1}
        posts = [part for word, weight in weights.items() for part in ("-p", f"{folder}/{word}.xml@{weight}")]
        with Server(answering(ok())) as server:
            result = self.fire_mix(server, n, c, *posts, *options)
        self.assert_all_ok(result, server, n)
        self.assert_sums(result)
        seen = collections.Counter(word_of(request) for request in server.log)
        for word, weight in weights.items():
            self.assertEqual(seen[word], n * weight // 8, f"{word}\n{result}")
            message = self.message_of(result, f"{word}.xml")
            self.assertEqual((message["started"], message["weight"]), (seen[word], weight), result)
            self.assertEqual(self.line_of(result, f"{word}.xml")["ok"], str(seen[word]), result)
        return server

    def test_B102_weights_are_exact_with_one_connection(self):
        server = self.exact(24, 1)
        words = [word_of(request) for request in server.log]
        self.assertEqual(words[:8], words[8:16])
        for start in range(0, 24, 8):
            self.assertEqual(sorted(words[start:start + 8]), list("aaaaabbc"))

    def test_B102_weights_are_exact_with_many_connections(self):
        self.exact(160, 7)

    def test_B102_weights_are_exact_over_all_threads(self):
        for threads, n in ((2, 8), (2, 24), (3, 80), (4, 88)):
            self.exact(n, 8, "--threads", threads)

    def test_B102_weights_are_exact_shuffled_over_all_threads(self):
        self.exact(80, 8, "--threads", 3, "--shuffle")

    def test_B102_weights_are_exact_at_a_rate(self):
        self.exact(40, 8, "--threads", 2, "--rate", "400/s")

    def test_weights_are_exact_through_libcurl(self):
        self.exact(40, 4, "--transport", "curl")

    def test_weights_are_exact_on_connections_of_their_own(self):
        folder = self.orders("a", "b")
        with Server(answering(ok())) as server:
            result = self.fire_mix(server, 30, 4, "-p", f"{folder}/a.xml@2", "-p", f"{folder}/b.xml", k=False)
        self.assert_all_ok(result, server, 30)
        self.assert_sums(result)
        self.assertEqual(collections.Counter(word_of(request) for request in server.log), {"a": 20, "b": 10})

    def shuffled(self, *options):
        with Server(answering(ok())) as server:
            result = self.fire_mix(server, 40, 1, "-p", self.orders(*"abcdefgh"), "--shuffle", *options)
        self.assert_all_ok(result, server, 40)
        return [word_of(request) for request in server.log]

    def test_B102_a_shuffled_order_is_repeated_by_its_seed(self):
        first = self.shuffled("--seed", 7)
        self.assertEqual(first, self.shuffled("--seed", 7))
        self.assertNotEqual(first, self.shuffled("--seed", 8))
        for start in range(0, 40, 8):
            self.assertEqual(sorted(first[start:start + 8]), list("abcdefgh"))
        self.assertNotEqual(first[:8], first[8:16])

    # ---- folders

    def test_a_folder_is_sent_in_the_order_of_its_names(self):
        folder = self.folder(b__xml=order("b"), a__xml=order("a"), C__xml=order("c"), __hidden__xml=order("hidden"),
                             a__xml__expect=b"# nothing is asked\n\n")
        os.mkdir(os.path.join(folder, "more"))
        with Server(answering(ok())) as server:
            result = self.fire_mix(server, 6, 1, "-p", folder)
        self.assert_all_ok(result, server, 6)
        self.assertEqual([word_of(request) for request in server.log], ["c", "a", "b"] * 2)
        self.assertEqual([message["name"] for message in result.json["messages"]], ["C.xml", "a.xml", "b.xml"])

    # ---- verdicts

    def test_B102_each_message_is_judged_by_its_own_expectations(self):
        folder = self.folder(
            good__xml=order("good"), refused__xml=order("refused"), lost__xml=order("lost"),
            refused__xml__expect=b"# what a wrong order gets\n--expect-fault Client\n--expect-text refused\n",
            good__xml__expect=b"--expect-xpath //*[local-name()='state']='accepted'\n--expect-status=200\n")
        answers = {"good": ok(), "refused": ok(fault_11(), "500 Internal Server Error"),
                   "lost": ok(fault_11("gone"), "500 Internal Server Error")}
        with Server(answering(lambda request: answers[word_of(request)])) as server:
            result = self.fire_mix(server, 30, 3, "-p", folder)
        self.assert_books(result, server)
        self.assert_sums(result)
        self.assertEqual(result.exit, 1, result)
        self.assertEqual((result.outcomes["ok"], result.outcomes["fault"]), (20, 10), result)
        for name, good, failed in (("good.xml", "10", "0"), ("refused.xml", "10", "0"), ("lost.xml", "0", "10")):
            line = self.line_of(result, name)
            self.assertEqual((line["requests"], line["ok"], line["failed"]), ("10", good, failed), result)
        self.assertEqual([group["message"] for group in result.faults], ["lost.xml"], result)
        self.assertRegex(result.out, r"(?m)^ {24}message lost\.xml$")

    def test_the_same_failure_of_two_messages_is_told_apart(self):
        with Server(answering(ok(fault_11(), "500 Internal Server Error"))) as server:
            result = self.fire_mix(server, 8, 2, "-p", self.orders("a", "b"))
        self.assertEqual(sorted((group["message"], group["count"]) for group in result.faults), [("a.xml", 4), ("b.xml", 4)])

    def test_options_beside_a_message_go_before_those_of_the_command(self):
        folder = self.folder(a__xml=order("a"), b__xml=order("b"), b__xml__expect=b"--expect-status 404\n--soap-action urn:b\n--header X-Only: b\n")
        status = {"a": "200 OK", "b": "404 Not Found"}
        with Server(answering(lambda request: ok(status=status[word_of(request)]))) as server:
            result = self.fire_mix(server, 8, 1, "-p", folder, "--expect-status", "200", "--soap-action", "urn:all")
        self.assert_all_ok(result, server, 8)
        for request in server.log:
            is_b = word_of(request) == "b"
            self.assertEqual(request.values("SOAPAction"), ['"urn:b"' if is_b else '"urn:all"'])
            self.assertEqual(request.values("X-Only"), ["b"] if is_b else [])

    def test_a_single_message_has_its_expectations_too(self):
        folder = self.folder(a__xml=order("a"), a__xml__expect=b"--reject-text accepted\n")
        with Server(answering(ok())) as server:
            result = self.fire(server, 4, 1, body=f"{folder}/a.xml")
        self.assertEqual(result.outcomes["mismatch"], 4, result)
        self.assertEqual(result.json["messages"], [], result)
        self.assertIn("a.xml.expect", result.err)

    def test_prefixes_in_expressions_are_those_of_the_message(self):
        one = b'<s:Envelope xmlns:s="%s" xmlns:m="urn:one"><s:Body><m:a/></s:Body></s:Envelope>' % SOAP_11.encode()
        two = one.replace(b"urn:one", b"urn:two")

        def answer(request):
            space = b"urn:one" if b"urn:one" in request.body else b"urn:two"
            return ok(envelope('<x xmlns="%s"/>' % space.decode()))

        with Server(answering(answer)) as server:
            result = self.fire_mix(server, 8, 2, "-p", self.folder(a__xml=one, b__xml=two), "--expect-xpath", "//m:x")
        self.assert_all_ok(result, server, 8)

    def test_RelatesTo_is_that_of_the_message_sent(self):
        def message(word):
            return (f'<s:Envelope xmlns:s="{SOAP_12}" xmlns:a="http://www.w3.org/2005/08/addressing"><s:Header>'
                    f"<a:Action>urn:{word}</a:Action><a:MessageID>urn:uuid:00000000-0000-4000-8000-000000000000</a:MessageID></s:Header>"
                    f"<s:Body><{word}/></s:Body></s:Envelope>").encode()

        def answer(request):
            relates = re.search(rb"MessageID>([^<]*)<", request.body).group(1).decode()
            if word_of(request) == "wrong":
                relates = "urn:uuid:11111111-0000-4000-8000-000000000000"
            return ok(f'<s:Envelope xmlns:s="{SOAP_12}" xmlns:a="http://www.w3.org/2005/08/addressing"><s:Header>'
                      f"<a:RelatesTo>{relates}</a:RelatesTo></s:Header><s:Body><r/></s:Body></s:Envelope>".encode(), content_type=TYPE_12)

        with Server(answering(answer)) as server:
            result = self.fire_mix(server, 40, 5, "-p", self.folder(right__xml=message("right"), wrong__xml=message("wrong")))
        self.assert_books(result, server)
        self.assertEqual(self.message_of(result, "right.xml")["outcomes"]["ok"], 20, result)
        self.assertEqual(self.message_of(result, "wrong.xml")["outcomes"]["mismatch"], 20, result)
        ids = {re.search(rb"MessageID>([^<]*)<", request.body).group(1) for request in server.log}
        self.assertEqual(len(ids), 40, "an id came twice")

    def test_what_is_no_regular_file_in_a_folder_is_left_out(self):
        folder = self.orders("a", "b")
        pipe = os.path.join(folder, "c.xml")
        os.mkfifo(pipe)
        with Server(answering(ok())) as server:
            result = self.fire_mix(server, 4, 1, "-p", folder)
        self.assert_all_ok(result, server, 4)
        self.assertEqual(len(result.json["messages"]), 2)
        self.assertIn(f"-p {pipe}: left out, it is no regular file", result.err)

    def test_lengths_are_compared_by_message(self):
        with Server(answering(lambda request: ok(envelope("<r/>" * (1 if word_of(request) == "a" else 9))))) as server:
            result = self.fire_mix(server, 12, 3, "-p", self.orders("a", "b"), "--same-length")
        self.assert_all_ok(result, server, 12)

    def test_different_bodies_are_counted_over_all_messages(self):
        with Server(answering(lambda request: ok(envelope(f"<{word_of(request)}/>")))) as server:
            result = self.fire_mix(server, 12, 3, "-p", self.orders("a", "b", "c"), "--count-bodies")
        self.assert_all_ok(result, server, 12)
        self.assertEqual(result.json["run"]["distinct_bodies"], 3, result)

    # ---- what changes from request to request

    def test_rows_and_numbers_go_on_from_message_to_message(self):
        folder = self.folder(
            a__xml=order("a").replace(b"<a ", b"<a id='${data.id}' n='${counter}' "),
            b__xml=order("b").replace(b"<b ", b"<b id='${data.id}' n='${counter}' "))
        rows = self.file(b"id\n" + b"".join(b"row%d\n" % i for i in range(24)), ".csv")
        with Server(answering(ok())) as server:
            result = self.fire_mix(server, 24, 4, "--threads", 2, "-p", folder, "--data", rows)
        self.assert_all_ok(result, server, 24)
        ids = sorted(re.search(rb"id='row(\d+)'", request.body).group(1) for request in server.log)
        numbers = sorted(int(re.search(rb"n='(\d+)'", request.body).group(1)) for request in server.log)
        self.assertEqual(ids, sorted(b"%d" % i for i in range(24)))
        self.assertEqual(numbers, list(range(1, 25)))

    # ---- captures

    def capture(self, port, *words):
        """Fiddler's text of several sessions, each to a path of its own."""
        return (b"\r\n" + b"-" * 66 + b"\r\n").join(
            b"POST http://127.0.0.1:%d/%s.svc HTTP/1.1\r\nContent-Type: text/xml; charset=utf-8\r\nSOAPAction: \"urn:%s\"\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (port, word.encode(), word.encode(), len(order(word)), order(word)) for word in words)

    def test_all_SOAP_posts_of_a_capture_are_sent_in_order(self):
        with Server(answering(ok())) as server:
            capture = self.file(self.capture(server.port, "place", "change", "cancel"), ".txt")
            result = run("-n", 9, "-c", 1, "-k", "-p", capture)
            picked = run("-n", 4, "-c", 1, "-k", "-p", capture, "--pick", "3", "--pick", "1")
        self.assert_report(result)
        self.assertEqual((result.outcomes["ok"], picked.outcomes["ok"]), (9, 4), result)
        self.assertEqual([word_of(request) for request in server.log],
                         ["place", "change", "cancel"] * 3 + ["cancel", "place"] * 2)
        for request in server.log:
            self.assertEqual(request.line, f"POST /{word_of(request)}.svc HTTP/1.1")
            self.assertEqual(request.values("SOAPAction"), [f'"urn:{word_of(request)}"'])
        self.assertEqual([message["path"] for message in result.json["messages"]], ["/place.svc", "/change.svc", "/cancel.svc"])
        self.assertEqual([message["soap_action"] for message in result.json["messages"]], ['"urn:place"', '"urn:change"', '"urn:cancel"'])

    def test_a_URL_given_wins_over_those_of_a_capture(self):
        with Server(answering(ok())) as server:
            capture = self.file(self.capture(1, "place", "cancel"), ".txt")
            result = self.fire_mix(server, 4, 1, "-p", capture)
        self.assert_all_ok(result, server, 4)
        self.assertEqual({request.line for request in server.log}, {"POST /OrderService.svc HTTP/1.1"})

    # ---- lists of URLs

    def test_several_URLs_are_asked_for_in_turn(self):
        with Server(answering(ok())) as server:
            urls = [f"http://127.0.0.1:{server.port}/{name}?q=%20" for name in "abc"]
            result = run("-n", 6, "-c", 1, "-k", *urls)
        self.assert_all_ok(result, server, 6)
        self.assertEqual([request.line for request in server.log], [f"GET /{name}?q=%20 HTTP/1.1" for name in "abcabc"])
        self.assertEqual([message["name"] for message in result.json["messages"]], [f"GET /{name}?q=%20" for name in "abc"])

    def test_a_file_of_URLs_is_read_as_siege_reads_it(self):
        with Server(answering(ok())) as server:
            at = f"http://127.0.0.1:{server.port}"
            folder = self.folder(urls__txt=f"# three\n\n{at}/a\n  {at}/b POST word=1&more=2\r\n{at}/c POST <c.xml\n".encode(), c__xml=order("c"))
            result = run("-n", 6, "-c", 1, "-k", "--urls", f"{folder}/urls.txt")
        self.assert_all_ok(result, server, 6)
        self.assertEqual([(request.line, request.body) for request in server.log],
                         [("GET /a HTTP/1.1", b""), ("POST /b HTTP/1.1", b"word=1&more=2"), ("POST /c HTTP/1.1", order("c"))] * 2)
        self.assertEqual(server.log[2].value("Content-Type"), "text/xml; charset=utf-8")

    def test_one_message_goes_to_each_of_several_URLs(self):
        with Server(answering(ok())) as server:
            urls = [f"http://127.0.0.1:{server.port}/{name}" for name in "ab"]
            result = run("-n", 4, "-c", 1, "-k", "-p", self.file(order("x")), *urls)
        self.assert_all_ok(result, server, 4)
        self.assertEqual([request.line for request in server.log], ["POST /a HTTP/1.1", "POST /b HTTP/1.1"] * 2)
        self.assertEqual([message["name"] for message in result.json["messages"]], ["POST /a", "POST /b"])

    # ---- what becomes of the figures

    def test_results_of_mixes_are_merged_and_printed_again(self):
        folder = self.orders("a", "b")
        paths = [os.path.join(folder, name) for name in ("one.json", "two.json")]
        with Server(answering(ok())) as server:
            for path in paths:
                run("-n", 6, "-c", 2, "-k", "--json", path, "-p", f"{folder}/a.xml@2", "-p", f"{folder}/b.xml", server.url(), with_json=False)
        merged = run("merge", *paths)
        self.assertEqual(merged.exit, 0, merged)
        self.assertEqual([(message["name"], message["started"]) for message in merged.json["messages"]], [("a.xml", 8), ("b.xml", 4)])
        self.assert_sums(merged)
        again = run("report", paths[0])
        self.assertEqual(self.line_of(again, "a.xml")["requests"], "4", again)

    def test_a_run_cut_short_still_adds_up(self):
        async def script(peer):
            while request := await peer.request():
                if word_of(request) == "silent":
                    await peer.sleep(60)
                if not await peer.send(ok()):
                    return

        with Server(script) as server:
            result = self.fire_mix(server, 0, 4, "-t", "700ms", "-p", self.orders("quick", "silent"), limit=60)
        self.assert_report(result)
        self.assert_sums(result)
        self.assertEqual(result.cut, 4, result)
        self.assertEqual(self.message_of(result, "silent.xml")["outcomes"]["cut"], 4, result)

    def test_messages_of_all_steps_are_in_the_whole(self):
        with Server(answering(ok())) as server:
            result = self.fire_mix(server, 0, 4, "--warmup", "6", "--steps", "100/s,200/sx500ms", "-p", self.orders("a", "b", "c"))
        self.assert_report(result)
        self.assert_sums(result)
        self.assertEqual(result.outcomes["ok"], result.finished, result)
        self.assertEqual(len(result.json["messages"]), 3)

    def test_remarks_name_the_messages_they_are_about(self):
        folder = self.folder(a__xml=order("a"), b__xml=order("b"), c__txt=b"no XML at all")
        with Server(answering(ok())) as server:
            result = self.fire_mix(server, 3, 1, "-p", folder)
        self.assertIn("a.xml, b.xml: a SOAP 1.1 envelope without SOAPAction", result.err)

    def test_fewer_requests_than_a_cycle_are_told(self):
        with Server(answering(ok())) as server:
            result = self.fire_mix(server, 2, 1, "-p", self.orders("a", "b", "c"))
        self.assertIn("2 requests are no whole cycle of the mix, which has 3", result.err)


class BadMixes(Case):
    """Each is refused with one sentence, and nothing is sent."""

    def refused(self, *args, names=()):
        with Server(answering(ok())) as server:
            result = run(*[arg.replace("$", server.url()) if isinstance(arg, str) else arg for arg in args], with_json=False)
        self.assertEqual(result.exit, 2, result)
        self.assertEqual(len(result.err.strip().splitlines()), 1, result)
        for name in names:
            self.assertIn(name, result.err, result)
        self.assertEqual((result.out, server.connections), ("", 0), result)
        return result

    def test_an_empty_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refused("-p", folder, "$", names=[folder, "no message is in this folder"])

    def test_a_folder_of_nothing_but_hidden_files(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, ".order.xml"), "wb") as file:
                file.write(order("a"))
            self.refused("-p", folder, "$", names=[folder, "hidden"])

    def test_weights_that_are_none(self):
        path = self.file(order("a"))
        for weight in ("0", "-1", "1.5", "x", "", "100001"):
            self.refused("-p", f"{path}@{weight}", "$", names=[f"{path}@{weight}", "from 1 to 100000"])

    def test_a_weight_without_a_file(self):
        self.refused("-p", "@3", "$", names=["-p @3", "name a file"])

    def test_a_file_that_is_missing_beside_others(self):
        path = self.file(order("a"))
        self.refused("-p", path, "-p", "/nowhere/b.xml@2", "$", names=["/nowhere/b.xml"])

    def test_a_cycle_that_is_too_long(self):
        path = self.file(order("a"))
        self.refused("-p", f"{path}@100000", "-p", f"{path}@99999", "$", names=["199999", "100000"])

    def test_two_services_in_one_run(self):
        self.refused("$", "https://127.0.0.1:1/a", names=["https://127.0.0.1:1", "one service", "lather merge"])
        self.refused("http://127.0.0.1:1/a", "http://127.0.0.2:1/a", names=["127.0.0.2"])

    def expecting(self, content, *names):
        path = self.file(order("a"))
        with open(path + ".expect", "wb") as file:
            file.write(content)
        self.addCleanup(os.unlink, path + ".expect")
        self.refused("-p", path, "$", names=[path + ".expect", *names])

    def test_expectations_that_cannot_be_read(self):
        self.expecting(b"# one\n\n--expect-statu 200\n", ".expect:3: ", "--expect-status")
        self.expecting(b"--expect-status 99\n", ".expect:1: ", "99")
        self.expecting(b"expect-fault\n", ".expect:1: ", "--expect-fault")
        self.expecting(b"--requests 5\n", ".expect:1: ", "--requests", "command line")
        self.expecting(b"--one-way yes\n", ".expect:1: ", "--one-way")
        self.expecting(b"--expect-text\n", ".expect:1: ", "--expect-text")
        self.expecting(b"--max-time 1s\n--expect-xpath \"//a\"\n", ".expect:2: ", "quotes")
        self.expecting(b"--max-time 1s\n--expect-xpath //a[\n", ".expect:2: ", "--expect-xpath")
        self.expecting(b"\n--golden nowhere.xml\n", ".expect:2: ", "nowhere.xml")
        self.expecting(b"--ns broken\n", ".expect:1: ", "--ns")

    def test_requests_of_expectations_that_cannot_be_made(self):
        """Known only with the message and the command line, and still told by their line."""
        for line, word in ((b"--header Content-Length: 5", "leave the field out"), (b"--header Transfer-Encoding: chunked", "leave the field out"),
                           (b"--header X-A: ${nope}", "${nope}"), (b"--header X-A: ${data.x}", "--data"), (b"--soap-action urn:${nope}", "${nope}"),
                           (b"--content-type a/${", "not closed"), (b"--header X A: 1", "X A")):
            with self.subTest(line):
                self.expecting(b"--header X-B: ${counter}\n" + line + b"\n--max-time 1s\n", ".expect:2: ", word)

    def test_what_the_command_line_asks_is_no_fault_of_the_expectations(self):
        path = self.file(order("a"))
        with open(path + ".expect", "wb") as file:
            file.write(b"--header X-B: 1\n")
        self.addCleanup(os.unlink, path + ".expect")
        result = self.refused("-p", path, "-H", "Content-Length: 5", "$", names=["Content-Length: 5"])
        self.assertNotIn(".expect", result.err)

    def test_expectations_of_no_message(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.xml", "b.xml.expect"):
                with open(os.path.join(folder, name), "wb") as file:
                    file.write(order("a"))
            self.refused("-p", folder, "$", names=["b.xml.expect", "b.xml"])

    def test_lists_of_URLs_that_cannot_be_read(self):
        self.refused("--urls", "/nowhere/urls.txt", names=["--urls", "/nowhere/urls.txt"])
        for content, word in ((b"# nothing\n", "no URL"), (b"http://127.0.0.1:1/ GET x\n", ":1: "), (b"HOST=a\n$(HOST)/x\n", ":1: "),
                              (b"\nhttp://127.0.0.1:1/ POST <nowhere.xml\n", ":2: "), (b"ftp://127.0.0.1/\n", ":1: ")):
            path = self.file(content, ".txt")
            self.refused("--urls", path, names=[path, word])

    def test_what_says_nothing_together(self):
        path = self.file(order("a"))
        urls = self.file(b"http://127.0.0.1:1/ POST x\n", ".txt")
        self.refused("--shuffle", "-p", path, "$", names=["--shuffle"])
        self.refused("--pick", "1", "$", names=["--pick"])
        self.refused("--pick", "1", "-p", path, "-p", path, "$", names=["--pick", "2 files"])
        self.refused("-p", path, "--urls", urls, names=[urls + ":1", "-p"])
        self.refused("-p", path, "-p", path, "$", "$", names=["2 messages and 2 URLs"])

    def test_HEAD_beside_others(self):
        capture = self.file(json.dumps({"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [
            {"request": {"method": method, "url": f"http://127.0.0.1:1/{method}", "headers": []}, "response": {}}
            for method in ("HEAD", "GET")]}}).encode(), ".har")
        self.refused("-p", capture, "--pick", "1", "--pick", "2", names=["HEAD"])
