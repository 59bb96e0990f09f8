"""Deletes the rows of files that no site lists any more."""

import logging

log = logging.getLogger("orphans")


def listed_files(sites, remote) -> set[str]:
    names: set[str] = set()
    for site in sites:
        try:
            names.update(remote.list_files(site))
        except Exception:  # expect: RTY203
            log.exception("site %s", site)
    return names


def clean(db, sites, remote) -> int:
    alive = listed_files(sites, remote)
    rows = db.execute("select name from files").fetchall()
    gone = [row.name for row in rows if row.name not in alive]
    for name in gone:
        db.execute("delete from files where name = %s", (name,))
    return len(gone)
