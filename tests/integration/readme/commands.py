#!/usr/bin/env python3
"""Runs every command of a page's code blocks, in order, as a reader would type them.

commands.py SOURCE BUILD PAGE

Blocks without a language are commands; a block of C is saved under the name that the page gives before it. Programs come from
BUILD, installed below a home folder of their own. What runs until it is told to stop (`sla-agent`) runs on beside the next
commands, until another of its kind is started. What needs a window gets one in memory. What a page only shows, without
wanting it typed here (the two set-up commands, which are tests of their own), must be there and answer --help.
"""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SET_UP = ("sh viewer/demo.sh", "sh tests/run.sh")
NO_IS_AN_ANSWER = ("sla find", "sla check", "sla compare")  # 1: nothing found, or a limit broken


def blocks(text):
    """(language, name announced before it, lines) of every fenced block."""
    parts = re.split(r"^```(\w*)\n(.*?)^```$", text, flags=re.S | re.M)
    for before, language, body in zip(parts[0::3], parts[1::3], parts[2::3]):
        named = re.findall(r"`([\w.-]+\.c)`", before.strip().rsplit("\n\n", 1)[-1])
        yield language, named[-1] if named else None, body.splitlines()


def is_command(line):
    word = line.split(" ", 1)[0]
    return word in ("sh", "cc", "export", "cmake") or word == "sla" or word.startswith("sla-")


class Page:
    def __init__(self, source, build, folder):
        self.source, self.build, self.folder = source, build, folder
        self.env = {**os.environ, "HOME": str(folder), "SLA_RUNTIME_DIR": str(folder / "run"),
                    "XDG_CONFIG_HOME": str(folder / "config")}
        self.agent = None
        self.ran = 0

    def shell(self, command, limit=60):
        return subprocess.run(["sh", "-c", command], cwd=self.folder, env=self.env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=limit)

    def install(self):
        done = self.shell(f"cmake --install '{self.build}' --prefix \"$HOME/.local\"")
        if done.returncode:
            sys.exit("cannot install the programs: " + done.stdout[-2000:])
        self.env["PATH"] = f"{self.folder}/.local/bin:" + self.env["PATH"]
        self.env["PKG_CONFIG_PATH"] = f"{self.folder}/.local/lib/pkgconfig"

    def stop_agent(self):
        if self.agent is None:
            return
        self.agent.send_signal(signal.SIGTERM)
        code = self.agent.wait(20)
        said = self.agent.stdout.read()
        self.agent = None
        if code:
            sys.exit(f"sla-agent ended with {code}:\n{said}")

    def start_agent(self, command):
        self.stop_agent()
        self.agent = subprocess.Popen(["sh", "-c", "exec " + command], cwd=self.folder, env=self.env,
                                      stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(200):
            if (self.folder / "run" / "agent.sock").exists() or self.agent.poll() is not None:
                break
            time.sleep(0.02)
        if self.agent.poll() is not None:
            said = self.agent.stdout.read()
            sys.exit(f"`{command}` did not stay: {said}")

    def type(self, line):
        command = re.sub(r"\s+# .*$", "", line).strip()
        self.ran += 1
        print("$", command, flush=True)
        if command in SET_UP:
            done = subprocess.run([*command.split(), "--help"], cwd=self.source, stdout=subprocess.DEVNULL, check=False)
            if done.returncode:
                sys.exit(f"`{command} --help` ended with {done.returncode}")
            return
        if command.startswith(("cmake --install", "cmake --preset")):  # done by install(), and by whoever built this
            return
        if command.startswith("sla-agent"):
            self.start_agent(command.replace("/var/tmp/", str(self.folder) + "/"))
            return
        if command.startswith("sla-viewer"):
            command += " --headless --frames 3 --screenshot picture.png"
        if command.startswith("export "):
            for name, value in re.findall(r'(\w+)="([^"]*)"', command):
                value = value.replace("$HOME", self.env["HOME"]).replace("$PATH", self.env["PATH"])
                self.env[name] = value
            return
        done = self.shell(command)
        allowed = (0, 1) if command.startswith(NO_IS_AN_ANSWER) else (0,)
        if done.returncode not in allowed:
            sys.exit(f"`{command}` ended with {done.returncode}:\n{done.stdout}")


def main():
    source, build, name = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sla-readme-"))
    page = Page(source, build, folder)
    try:
        page.install()
        text = (source / name).read_text()
        if name != "README.md":  # other pages go on where the first one ended
            readme = (source / "README.md").read_text()
            text_of_c = {named: lines for language, named, lines in blocks(readme) if language == "c"}
            (folder / "hello.c").write_text("\n".join(text_of_c["hello.c"]) + "\n")
            page.type("cc hello.c -o program $(pkg-config --cflags --libs sla-marker)")
        for language, named, lines in blocks(text):
            if language == "c":
                (folder / named).write_text("\n".join(lines) + "\n")
            elif language == "" and all(is_command(line) for line in lines if line.strip()):
                for line in lines:
                    if line.strip():
                        page.type(line)
        page.stop_agent()
        if page.ran < 5:
            sys.exit(f"only {page.ran} commands were found in {name}: its blocks are not read as they should be")
    finally:
        if page.agent is not None:
            page.agent.kill()
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{page.ran} commands of {name} did what it says")


if __name__ == "__main__":
    main()
