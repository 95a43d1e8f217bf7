"""A headless Chromium, driven over a pipe by the DevTools protocol; standard Python alone."""
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 60  # seconds until a browser that says nothing has failed


def chromium():
    """The program; None: there is none."""
    return shutil.which("chromium") or shutil.which("google-chrome")


class Browser:
    def __init__(self):
        self.folder = tempfile.mkdtemp()
        ours_in, theirs_out = os.pipe()
        theirs_in, ours_out = os.pipe()

        def hand_over():
            # Chromium reads from 3 and writes to 4. Copies first: either number may be in use as the other end.
            reads, writes = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(reads, 3)
            os.dup2(writes, 4)

        self.process = subprocess.Popen(
            [chromium(), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-extensions", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
             "--disable-dev-shm-usage", "--remote-debugging-pipe", f"--user-data-dir={self.folder}"],
            preexec_fn=hand_over, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.reads, self.writes = ours_in, ours_out
        self.rest, self.number, self.events = b"", 0, []

    def close(self):
        os.close(self.writes)
        os.close(self.reads)
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)
        shutil.rmtree(self.folder, ignore_errors=True)

    def call(self, method, session=None, **params):
        """The result of a command; events that come before it are kept."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self.writes, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + PATIENCE
        while True:
            answer = self.receive(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def receive(self, deadline):
        while b"\0" not in self.rest:
            ready, _, _ = select.select([self.reads], [], [], max(0, deadline - time.monotonic()))
            data = os.read(self.reads, 1 << 20) if ready else b""
            if not data:
                raise TimeoutError("the browser says nothing")
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\0")
        return json.loads(line)


class Page:
    """A tab with a page, of a window of that size. Everything it complains of and asks for is in `events`."""

    def __init__(self, browser, path, width=1300, height=900, dark=False):
        self.browser = browser
        target = browser.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = browser.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.resize(width, height)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url=f"file://{path}")
        self.wait_for("document.readyState === 'complete'")
        self.settle()

    def call(self, method, **params):
        return self.browser.call(method, self.session, **params)

    def events(self, method):
        return [event["params"] for event in self.browser.events
                if event.get("sessionId") == self.session and event["method"] == method]

    def complaints(self):
        errors = [event["exceptionDetails"]["text"] + str(event["exceptionDetails"].get("exception", {}).get("description"))
                  for event in self.events("Runtime.exceptionThrown")]
        errors += [str(event["args"]) for event in self.events("Runtime.consoleAPICalled")]
        return errors + [event["entry"]["text"] for event in self.events("Log.entryAdded")]

    def requests(self):
        """What the page has asked for, beside itself and what it has made."""
        return [url for url in (event["request"]["url"] for event in self.events("Network.requestWillBeSent")[1:])
                if not url.startswith(("blob:", "data:"))]

    def evaluate(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"])
        return result["result"].get("value")

    def wait_for(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not self.evaluate(condition):
            if time.monotonic() > deadline:
                raise TimeoutError(condition)

    def settle(self):
        """Waits until nothing has been drawn for some frames."""
        self.evaluate("new Promise(done => { let left = 8; const next = () => --left ? requestAnimationFrame(next) : done();"
                      " next(); })")

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **{"button": "left", "clickCount": 1, **more})

    def move(self, x, y):
        self.mouse("mouseMoved", x, y, button="none", clickCount=0)

    def drag(self, places, modifiers=0):
        self.move(*places[0])
        self.mouse("mousePressed", *places[0], modifiers=modifiers)
        for place in places[1:]:
            self.mouse("mouseMoved", *place, buttons=1, modifiers=modifiers)
        self.mouse("mouseReleased", *places[-1], modifiers=modifiers)
        self.settle()

    def click(self, x, y, **more):
        self.move(x, y)
        self.mouse("mousePressed", x, y, **more)
        self.mouse("mouseReleased", x, y, **more)
        self.settle()

    def key(self, name, code=0, text="", modifiers=0):
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, windowsVirtualKeyCode=code, modifiers=modifiers,
                  **({"text": text} if text else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, windowsVirtualKeyCode=code, modifiers=modifiers)
        self.settle()

    def screenshot(self, path, whole=False):
        import base64
        picture = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture))
