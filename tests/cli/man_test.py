"""Manual pages, made by the command of what it declares."""
import shutil
import subprocess
import unittest

from harness import CliTest, maps_of, object_in


class ManPages(CliTest):
    def page(self, *verb):
        return self.succeed("__man", *verb).decode()

    def verbs(self):
        lines = self.succeed("__complete", "").decode().splitlines()
        return [line.split("\t")[0] for line in lines if not line.startswith("-")]

    def test_a_page_per_verb(self):
        verbs = self.verbs()
        self.assertIn("embed", verbs)
        overview = self.page()
        for verb in verbs:
            page = self.page(verb)
            self.assertTrue(page.startswith(f".TH UNROLL\\-{verb.upper()} 1"), verb)
            for title in ("NAME", "SYNOPSIS", "EXAMPLES", "EXIT STATUS"):
                self.assertIn(f"\n.SH {title}\n", page, verb)
            self.assertIn(f"unroll\\-{verb}", overview)
        self.expect_error(2, "there is no verb 'emded'", "__man", "emded")

    def test_every_flag_and_every_method(self):
        page = self.page("embed").replace("\\-", "-")
        for method in maps_of(self.succeed("methods", "--json")):
            self.assertIn(f".SH OPTIONS OF {method['name'].upper()}\n", page)
            for option in method["options"]:
                flag = option["alias"] or option["flag"]
                self.assertTrue(flag in page or flag.replace("--", "--[no-]") in page, flag)
        for flag in ("--columns", "--drop", "--id-column", "--label-column", "--axes", "--color-by", "--json"):
            self.assertIn(flag, page)

    @unittest.skipUnless(shutil.which("groff"), "groff reads the pages")
    def test_no_page_has_an_error(self):
        for verb in ((), *((verb,) for verb in self.verbs())):
            done = subprocess.run(["groff", "-man", "-ww", "-Tutf8"], input=self.page(*verb).encode(), capture_output=True,
                                  check=False, timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, b""), verb)
            self.assertGreater(len(done.stdout), 300)


if __name__ == "__main__":
    unittest.main()
