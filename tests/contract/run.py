"""Holds the running service against its own OpenAPI document with Schemathesis; see README.md."""

import argparse
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
ROLES = ["reader", "qa", "editor", "admin"]


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Service:
    """`wegweiser serve` over the demo compendium, ended when left."""

    def __init__(self, binary, folder, cache):
        self.binary, self.data = binary, pathlib.Path(folder) / "data"
        self.settings = pathlib.Path(folder) / "wegweiser.yaml"
        # Schemathesis asks as fast as it can; 429 would be all that it sees.
        self.settings.write_text("access: {requests_per_minute: 1000000}\n")
        if cache:
            shutil.copytree(cache, self.data / "cache")

    def command(self, *arguments):
        return [self.binary, "--config", self.settings, "--data-dir", self.data, *arguments]

    def key(self, role):
        made = self.command("keys", "create", role, "--role", role, "--all-audiences")
        return subprocess.run(made, check=True, capture_output=True, text=True).stdout.split()[0]

    def __enter__(self):
        self.url = f"http://127.0.0.1:{free_port()}"
        listen = self.url.removeprefix("http://")
        log = open(self.data.parent / "log", "w")
        serve = self.command("serve", "--listen", listen, "--query-log", self.data / "log")
        self.process = subprocess.Popen(serve, stdout=log, stderr=log)
        for _ in range(1800):
            try:
                urllib.request.urlopen(f"{self.url}/readyz").close()
                return self
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"never ready: {log.name}")

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        if self.process.wait() != 0:
            raise SystemExit(f"the service ended with {self.process.returncode}")


def fuzz(schemathesis, url, key, arguments, folder):
    headers = ["--header", f"Authorization: Bearer {key}"] if key else []
    run = [schemathesis, "--config-file", HERE / "schemathesis.toml", "run", f"{url}/openapi.json"]
    run += ["--url", url, "--checks", "all", "--continue-on-failure", *headers, *arguments]
    # What it remembers of a run would lie around here.
    return subprocess.run(run, cwd=folder).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", default="target/debug/wegweiser")
    parser.add_argument("--schemathesis", default="schemathesis", help="the command")
    parser.add_argument("--cache", help="embedding cache to begin with, for example data/cache")
    parser.add_argument("--only", choices=["open", "nobody", *ROLES], help="one of the runs")
    options, arguments = parser.parse_known_args()
    binary, schemathesis = map(shutil.which, [options.binary, options.schemathesis])
    if not binary or not schemathesis:
        parser.error(f"not found: {options.schemathesis if binary else options.binary}")
    binary, schemathesis, failed = os.path.abspath(binary), os.path.abspath(schemathesis), []
    for guarded in [False, True]:
        runs = ["nobody", *ROLES] if guarded else ["open"]
        runs = [run for run in runs if options.only in (None, run)]
        if not runs:
            continue
        with tempfile.TemporaryDirectory() as folder:
            service = Service(binary, folder, options.cache)
            keys = {role: service.key(role) for role in ROLES} if guarded else {}
            with service:
                for run in runs:
                    print(f"==> {run}", flush=True)
                    if fuzz(schemathesis, service.url, keys.get(run), arguments, folder):
                        failed.append(run)
    print("failed: " + ", ".join(failed) if failed else "ok")
    return bool(failed)


sys.exit(main())
