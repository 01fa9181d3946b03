"""What sources are called: as in tables, statistics and SQL."""

from typing import Dict, NamedTuple, Set, Tuple


class Source(NamedTuple):
    name: str
    pid: int
    host: int  # 0: the host of the capture itself


def source_texts(sources: Dict[int, Source], hosts: Dict[int, str], own_host: str) -> Dict[int, str]:
    """Of each source its name, of a capture of several hosts with its host's ("net on host-a"); with the process's number where
    another process of that host has the same name ("net/4242 on host-a")."""
    first: Dict[Tuple[int, str], int] = {}
    shared: Set[Tuple[int, str]] = set()
    for source in sources.values():
        if source.pid != 0 and first.setdefault((source.host, source.name), source.pid) != source.pid:
            shared.add((source.host, source.name))
    texts = {}
    for number, source in sources.items():
        text = source.name
        if source.pid != 0 and (source.host, source.name) in shared:
            text += f"/{source.pid}"
        host = hosts.get(source.host, own_host)
        texts[number] = f"{text} on {host}" if hosts and host else text
    return texts
