# SPDX-License-Identifier: Apache-2.0
"""Names of files in any letters: what a user saved is read, and results go where they were asked for."""

import json
import os
import shutil
import tempfile

import lather
from answers import ok
from case import Case
from scripted_server import Server, answering

LETTERS = "Auftrag Müller – Заказ 注文"


class Names(Case):
    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="lather-names-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, ending):
        return os.path.join(self.folder, LETTERS + ending)

    def test_messages_and_results_have_any_letters(self):
        shutil.copy(lather.ORDER_11, self.path(".xml"))
        with Server(answering(ok())) as server:
            result = self.fire(server, 20, 2, "--json", self.path(".json"), body=self.path(".xml"), with_json=False)
        self.assertEqual(result.exit, 0, result)
        self.assertEqual(server.requests, 20)
        with open(self.path(".json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["counts"]["finished"], 20)

    def test_a_file_that_is_not_there_is_named_in_its_letters(self):
        result = lather.run("-n", 1, "-p", self.path(".xml"), "http://127.0.0.1:9/", with_json=False)
        self.assertEqual(result.exit, 2, result)
        self.assertIn(LETTERS + ".xml: cannot read it: No such file", result.err)
