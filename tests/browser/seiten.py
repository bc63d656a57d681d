#!/usr/bin/env python3
"""Drives the German pages in headless Chromium; see README.md beside this file."""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
QUESTION = "Welchen Nutzen hat verteiltes Lernen?"
HOSTILE = "<img src=x onerror=\"window.getroffen=1\"><script>window.getroffen=2</script> \u202enettim"
LONG = ("Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihungsordnung" * 26)[:1999] + "?"
MISSING = ["Was hilft bei Legasthenie? Antwort an eva@example.org", "Wie lernt man mit Legasthenie?", "Legasthenie in der Prüfung"]
SIZES = {"breit": (1280, 900), "schmal": (390, 844)}


def check(holds, what):
    if not holds:
        raise AssertionError(what)
    print(f"  gut: {what}")


class Service:
    """`wegweiser serve` on a free port."""

    def __init__(self, binary, folder, *arguments):
        self.log = open(folder / "log.txt", "w+")
        command = [binary, "serve", "--listen", "127.0.0.1:0", "--log-format", "json", *arguments]
        self.process = subprocess.Popen(command, cwd=folder if arguments else ROOT, stderr=self.log, stdout=self.log)
        self.address = self._address()

    def _address(self):
        for _ in range(600):
            found = re.search(r"listening on (http://127\.0\.0\.1:\d+)", Path(self.log.name).read_text())
            if found:
                return found.group(1)
            if self.process.poll() is not None:
                break
            time.sleep(0.1)
        raise AssertionError("the service does not start: " + Path(self.log.name).read_text()[-2000:])

    def until_ready(self):
        for _ in range(3000):
            try:
                urllib.request.urlopen(self.address + "/readyz").close()
                return
            except OSError:
                time.sleep(0.1)
        raise AssertionError("never ready")

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=40)


class Watched:
    """A page whose faults are noted, and whose requests must stay at home."""

    def __init__(self, browser, address, scheme="light", size="breit"):
        width, height = SIZES[size]
        self.context = browser.new_context(color_scheme=scheme, viewport={"width": width, "height": height}, locale="de-DE")
        self.page = self.context.new_page()
        self.page.set_default_timeout(120_000)
        self.faults = []
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", lambda line: self.faults.append(line.text) if line.type == "error" else None)
        self.page.on("dialog", lambda dialog: (self.faults.append("dialog " + dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self._at_home(request.url, address))
        self.address = address

    def _at_home(self, url, address):
        if not url.startswith((address, "data:")):
            self.faults.append("asks elsewhere: " + url)

    def go(self, path):
        self.page.goto(self.address + path)

    def sound(self, *expected):
        """No fault but refusals that the browser notes on its own."""
        left = [fault for fault in self.faults if not any(part in fault for part in expected)]
        check(not left, f"keine Fehler im Browser {left or ''}")


def readers(address):
    """What readers ask and do not get: each question twice, found unhelpful."""
    def send(path, body):
        request = urllib.request.Request(address + path, json.dumps(body).encode(), {"content-type": "application/json"})
        return urllib.request.urlopen(request)
    for question in MISSING * 2:
        with send("/v1/search", {"question": question}) as answer:
            number = answer.headers["x-request-id"]
        send("/v1/feedback", {"request_id": number, "rating": "unhelpful"}).close()
    time.sleep(1)


def search(watched):
    page = watched.page
    watched.go("/")
    check(page.evaluate("document.activeElement.id") == "eingabe", "die Eingabe hat den Fokus")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Enter")
    page.wait_for_selector(".hit")
    check(page.locator(".verdict").inner_text().startswith("Beantwortbar"), "die Antwort sagt, dass sie eine ist")
    check("eine Regel" in page.locator(".boxes").inner_text(), "wer entschieden hat, steht da")
    check(page.locator(".paid li").count() > 0, "Wörter, die zahlten, stehen da")
    check(page.locator(".hit mark").count() > 0, "Ausschnitte sind hervorgehoben")
    check("frage=" in page.url, "die Frage steht in der Adresse")
    worst = page.locator(".hit code").last.inner_text()
    page.fill("#warum-abschnitt", worst)
    page.press("#warum-abschnitt", "Enter")
    page.wait_for_selector("#warum-antwort table")
    check("Rang" in page.locator("#warum-antwort .reasons").inner_text(), "„Warum nicht …?“ nennt Gründe")
    page.wait_for_selector("#warum-antwort ol.reasons")
    check("Stufe" in page.locator("#warum-antwort").inner_text(), "und sagt es Stufe für Stufe")
    page.fill("#warum-abschnitt", "gibt#es-nicht")
    page.press("#warum-abschnitt", "Enter")
    page.wait_for_selector("#warum-antwort .problem")
    page.go_back()
    check(page.locator(".hit").count() == 0, "Zurück führt zurück")
    page.go_forward()
    page.wait_for_selector(".hit")
    check("Treffer" in page.locator("#ansage").text_content(), "ein Vorleseprogramm hört, was kam")
    page.set_viewport_size({"width": 390, "height": 844})
    page.fill("#eingabe", LONG)
    page.press("#eingabe", "Enter")
    page.wait_for_selector(".box summary")
    over = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    check(over <= 0, "ein Wort von 2.000 Zeichen passt auf das Telefon")
    page.fill("#eingabe", "Wie wird das Wetter morgen in Leipzig?")
    page.press("#eingabe", "Enter")
    page.wait_for_selector(".verdict.FAIL")
    page.set_viewport_size({"width": 1280, "height": 900})


def catalog(watched):
    page = watched.page
    watched.go("/katalog")
    page.wait_for_selector("#starten:not([disabled])")
    page.click("#starten")
    page.wait_for_selector("progress")
    page.wait_for_selector(".tiles")
    total = page.locator("form.filters output").inner_text()
    page.select_option("select[name=urteil]", "WARN")
    check(page.locator("form.filters output").inner_text() != total, "gefiltert ist weniger")
    check(page.locator("#lauf ul.rows .WARN.tag").count() > 0, "Fragen mit Warnung sind gelistet")
    page.locator("#lauf .row-head a").first.click()
    page.wait_for_selector("#antwort .verdict")
    check("frage=" in page.url, "eine Frage führt in die Suche")
    page.go_back()
    page.wait_for_selector(".tiles")


def gaps(watched):
    page = watched.page
    watched.go("/luecken")
    page.wait_for_selector("#luecken-bericht .tiles")
    check(page.locator("#luecken-bericht ul.rows > li").count() > 3, "Befunde sind gelistet")
    topics = page.locator("#luecken-bericht section", has=page.locator("h2", has_text="Was Lesende fragen")).first
    check("Legasthenie" in topics.inner_text(), "was Lesende fragen, steht da")
    check("[E-Mail]" in topics.inner_text() and "eva@" not in topics.inner_text(), "und ist maskiert")
    check(page.locator(".mark").count() > 20, "die Karte hat Zeichen")
    page.locator(".row-head button.link").first.click()
    page.wait_for_selector("#blatt .tiles")
    check(page.locator("#blatt h3").count() >= 2, "das Blatt hat Abschnitte")
    page.keyboard.press("Escape")
    check(not page.locator("#blatt").is_visible(), "Escape schließt das Blatt")
    page.select_option("select[name=befund]", index=1)
    check(page.locator(".mark.faint").count() > 0, "die Karte folgt dem Filter")


def questions(address):
    """How many questions the catalog has that serves."""
    with urllib.request.urlopen(address + "/v1/status") as answer:
        return json.load(answer)["questions"]


def promote(watched, file):
    """Puts the questions of a topic into the catalog, with the keyboard."""
    page = watched.page
    watched.go("/luecken")
    page.wait_for_selector(".ticket button")
    before = questions(watched.address)
    page.locator(".ticket button").first.focus()
    page.keyboard.press("Enter")
    page.wait_for_selector(".ticket .note")
    told = page.locator(".ticket .note").first.inner_text()
    check("live.yaml" in told, f"wohin geschrieben wurde, steht da: {told[:60]}")
    check("Legasthenie" in file.read_text(), "die Fragen stehen in der Datei")
    check("eva@" not in file.read_text(), "ohne die Adresse")
    check(page.evaluate("document.activeElement.textContent").startswith(told[:10]), "der Fokus bleibt, wo er war")
    for _ in range(300):
        if questions(watched.address) > before:
            break
        time.sleep(0.1)
    check(questions(watched.address) > before, "der Katalog wird von selbst neu gelesen")


def open_gaps(watched):
    """After promoting: a gap is no verdict on the compendium."""
    page = watched.page
    watched.go("/katalog")
    page.wait_for_selector("#starten:not([disabled])")
    page.click("#starten")
    page.wait_for_selector("progress")
    page.wait_for_selector("#laeuft progress", state="detached")
    page.wait_for_selector(".tag.OPEN")
    page.select_option("select[name=urteil]", "open")
    tags = page.locator("#lauf form.filters ~ ul.rows .tag").all_inner_texts()
    check(tags and set(tags) == {"Lücke, offen"}, "offene Lücken stehen als solche da")
    page.select_option("select[name=urteil]", "WARN")
    check(page.locator("#lauf form.filters ~ ul.rows .tag.OPEN").count() == 0, "und nicht unter den Warnungen")


def on_paper(watched):
    watched.go("/luecken")
    watched.page.wait_for_selector(".mark")
    watched.page.emulate_media(media="print")
    check(not watched.page.locator("header").is_visible(), "auf Papier steht keine Navigation")
    check(not watched.page.locator(".ticket button").first.is_visible(), "und kein Knopf")
    check(watched.page.locator(".row-head h3").first.is_visible(), "aber was gefunden wurde")


def rules(watched):
    page = watched.page
    watched.go("/regeln")
    page.wait_for_selector("#regeln ul.rows > li")
    page.fill("input[name=pattern]", r"\bnutzen\b")
    page.press("input[name=pattern]", "Enter")
    page.wait_for_selector("#probiert .note")
    check("Trifft" in page.locator("#probiert").inner_text(), "das Muster ist probiert")
    page.fill("input[name=pattern]", "(")
    page.press("input[name=pattern]", "Enter")
    page.wait_for_selector("#probiert .problem")
    check("unclosed group" in page.locator("#probiert").inner_text(), "warum ein Muster keines ist, steht da")
    page.select_option("select[name=stand]", "shadowed")
    check("von" in page.locator("#regeln output").inner_text(), "die Liste ist gefiltert")


def status(watched):
    watched.go("/zustand")
    watched.page.wait_for_selector("dl")
    check("Alles in Ordnung" in watched.page.locator("#zustand").inner_text(), "der Zustand ist gut")


PAGES = {"suche": search, "katalog": catalog, "luecken": gaps, "regeln": rules, "zustand": status}


def pictures(browser, address, folder):
    """Every page in light and dark, wide and narrow; no page may be wider than its window."""
    ready = {"suche": ".hit", "katalog": ".tiles", "luecken": ".mark", "regeln": "#regeln ul.rows > li", "zustand": "dl"}
    for scheme in ("light", "dark"):
        for size in SIZES:
            for name, selector in ready.items():
                watched = Watched(browser, address, scheme, size)
                path = "/?frage=" + QUESTION if name == "suche" else "/" + name
                watched.go(path)
                watched.page.wait_for_selector(selector)
                over = watched.page.evaluate("document.documentElement.scrollWidth - innerWidth")
                check(over <= 0, f"{name} passt in das Fenster ({size}, {scheme})")
                if name == "luecken" and size == "breit":
                    watched.page.locator(".map").screenshot(path=folder / f"karte-{scheme}.png")
                    watched.page.locator(".row-head button.link").first.click()
                    watched.page.wait_for_selector("#blatt .tiles")
                    watched.page.screenshot(path=folder / f"blatt-{scheme}.png")
                    watched.page.keyboard.press("Escape")
                    watched.page.evaluate("scrollTo(0, 0)")
                watched.page.screenshot(path=folder / f"{name}-{size}-{scheme}.png")
                if size == "breit":
                    watched.page.screenshot(path=folder / f"{name}-{scheme}-ganz.png", full_page=True)
                watched.sound()
                watched.context.close()


def hostile_folder(folder):
    (folder / "kompendium").mkdir()
    (folder / "fragen").mkdir()
    text = f"---\ntitle: Böse\n---\n\n## {HOSTILE}\n\nWas kostet das? {HOSTILE}\n\n## Gebühren\n\nEine Mahnung kostet zwei Euro.\n"
    (folder / "kompendium/boese.md").write_text(text)
    questions = [{"id": "boese", "question": HOSTILE + " Was kostet das?", "origin": "live", "tier": HOSTILE, "expect": {"section": "boese#gebuehren"}}]
    (folder / "fragen/fragen.yaml").write_text(json.dumps({"questions": questions}))
    (folder / "wegweiser.yaml").write_text(f"catalog: fragen\nrules: {ROOT / 'rules'}\ncompendium: kompendium\n")


def key(binary, folder, role):
    out = subprocess.run([binary, "keys", "create", role, "--role", role, "--all-audiences"], cwd=folder, capture_output=True, text=True, check=True)
    return re.search(r"wgw_\S+", out.stdout + out.stderr).group(0).strip('",')


def give(page, secret):
    page.wait_for_selector("#schluessel[open]")
    page.fill("#schluessel input", secret)
    page.keyboard.press("Enter")


def hostile(browser, binary, folder):
    hostile_folder(folder)
    secrets = {role: key(binary, folder, role) for role in ("reader", "editor")}
    service = Service(binary, folder, "--config", "wegweiser.yaml")
    try:
        service.until_ready()
        watched = Watched(browser, service.address)
        page = watched.page
        watched.go("/luecken")
        give(page, "wgw_falsch")
        page.wait_for_selector("#schluessel-grund:not(:empty)")
        check("gilt nicht" in page.locator("#schluessel-grund").inner_text(), "ein falscher Schlüssel wird genannt")
        give(page, secrets["reader"])
        page.wait_for_selector("#luecken-bericht .problem")
        check("Rolle editor" in page.locator("#luecken-bericht").inner_text(), "die fehlende Rolle wird genannt")
        page.click("#vergessen")
        give(page, secrets["editor"])
        page.wait_for_selector(".mark")
        check(page.evaluate("document.cookie") == "", "kein Cookie")
        page.locator(".mark").first.click()
        page.wait_for_selector("#blatt .tiles")
        watched.go("/?frage=" + HOSTILE.replace("#", "%23") + " Was kostet das?")
        page.wait_for_selector(".hit")
        watched.go("/katalog")
        page.wait_for_selector("#starten:not([disabled])")
        page.click("#starten")
        page.wait_for_selector("#lauf ul.rows > li")
        check("onerror" in page.locator("#lauf").inner_text(), "was feindlich ist, steht als Text da")
        watched.go("/regeln")
        page.fill("input[name=pattern]", "kostet")
        page.press("input[name=pattern]", "Enter")
        page.wait_for_selector("#probiert .row-head")
        check(page.evaluate("window.getroffen") is None, "nichts davon wurde ausgeführt")
        check(page.locator("main img, main script").count() == 0, "nichts davon wurde zu einem Element")
        watched.sound("401", "403")
        watched.context.close()
    finally:
        service.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default=str(ROOT / "target/debug/wegweiser"))
    parser.add_argument("--browser", default=next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None))
    parser.add_argument("--data-dir", help="folder with an embedding cache of the demo compendium")
    parser.add_argument("--pictures", type=Path, help="folder for pictures of the pages")
    options = parser.parse_args()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("übersprungen: Playwright ist nicht installiert (pip install playwright)")
        return 0
    if not options.browser:
        print("übersprungen: kein Chromium auf diesem Rechner")
        return 0
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        scratch = Path(scratch)
        for name in ("demo", "boese"):
            (scratch / name).mkdir()
        data = scratch / "demo/data"
        if options.data_dir:
            shutil.copytree(options.data_dir, data)
        browser = playwright.chromium.launch(executable_path=options.browser, args=["--no-sandbox"])
        service = Service(options.binary, scratch / "demo", "--data-dir", str(data), "--compendium", str(ROOT / "compendium"),
                          "--rules", str(ROOT / "rules"), "--config", str(demo_settings(scratch / "demo")))
        try:
            service.until_ready()
            readers(service.address)
            for name, drive in PAGES.items():
                print(name)
                watched = Watched(browser, service.address)
                drive(watched)
                watched.sound("404", "422")
                watched.context.close()
            if options.pictures:
                options.pictures.mkdir(parents=True, exist_ok=True)
                pictures(browser, service.address, options.pictures)
            print("papier und katalog")
            watched = Watched(browser, service.address)
            on_paper(watched)
            watched.context.close()
            watched = Watched(browser, service.address)
            promote(watched, scratch / "demo/katalog/live.yaml")
            open_gaps(watched)
            watched.sound()
            watched.context.close()
        finally:
            service.stop()
        print("feindlich")
        hostile(browser, options.binary, scratch / "boese")
        browser.close()
    print("alles gut")
    return 0


def demo_settings(folder):
    # The pages write into it.
    shutil.copytree(ROOT / "catalog", folder / "katalog")
    file = folder / "wegweiser.yaml"
    file.write_text(f"catalog: {folder / 'katalog'}\nquery_log: {{folder: {folder / 'fragen'}}}\n")
    return file


if __name__ == "__main__":
    sys.exit(main())
