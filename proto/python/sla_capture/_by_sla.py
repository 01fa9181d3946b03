"""What is no capture file becomes one, by the program `sla`."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from typing import Iterator, List, Tuple

from ._file import CaptureError

ADDRESSES = ("fleet:", "unix:", "tcp:", "ssh:", "tls:")


def is_for_sla(source: str) -> bool:
    is_manifest = source.endswith(".json") and os.path.basename(os.path.dirname(os.path.abspath(source))) == "manifest"
    return source.startswith(ADDRESSES) or os.path.isdir(source) or is_manifest


@contextlib.contextmanager
def exported(source: str) -> Iterator[Tuple[str, List[str]]]:
    """A capture file that is there within the `with`, and the damage that `sla` told of."""
    program = os.environ.get("SLA") or shutil.which("sla")
    if not program:
        raise CaptureError(f"{source!r} is no capture file: to read archives, fleets and agents the program `sla` has to be on "
                           "PATH, and it is not (or name it by $SLA)")
    with tempfile.TemporaryDirectory(prefix="sla-") as folder:
        path = os.path.join(folder, "capture.sla")
        words = [program, "export", "--quiet", "--format", "sla", "-o", path, "--address", source]
        try:
            done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                  text=True, errors="replace", check=False)
        except OSError as error:
            raise CaptureError(f"{program!r} cannot be started: {error}") from None
        said = done.stderr.strip()
        if done.returncode != 0 or not os.path.exists(path):
            raise CaptureError(f"{source!r} cannot be read: {said or f'sla ended with {done.returncode}'}")
        yield path, [line for line in said.splitlines() if "damage:" in line]
