"""Asked: calls that ask something that forgets, what a miss looks like there, and how long it remembers."""

from __future__ import annotations

from functools import cached_property

from anchorlint.knowledge.tables import Read, Store
from anchorlint.python.arguments import argument
from anchorlint.python.ask import Ask as Ask
from anchorlint.python.ask import Start
from anchorlint.python.evaluate import Evaluator
from anchorlint.python.lasting import HTTP_READS as HTTP_READS
from anchorlint.python.lasting import says_gone
from anchorlint.python.lives import Lives
from anchorlint.python.starts import CLIENTS, HTTP_ROOTS, Starts
from anchorlint.python.value import PATHS, Value, root

RECEIVER_FUEL = 400  #: terms evaluated to learn what one call asks
MOST_STARTS = 4000  #: calls of a program that are looked at


class Asked:
    """Finds what is asked of things that forget; one for a program."""

    def __init__(self, engine: Evaluator, starts: tuple[Start, ...] | None = None) -> None:
        self.engine = engine
        self.lives = Lives(engine)
        self._known: dict[Value, Ask | None] = {}
        self._starts = starts

    @cached_property
    def starts(self) -> tuple[Start, ...]:
        """The places of the program where something that forgets is asked, and where that can matter."""
        if self._starts is not None:
            return self._starts
        found = []
        starts = Starts(self.engine, self.lives)
        for start in dict.fromkeys(starts.all()):
            ask = self._asked_at(start)
            if ask is not None and (ask.life or (starts.lasting.knows_gone and says_gone((*ask.codes, *ask.misses)))):
                found.append(start)
            if len(found) >= MOST_STARTS:
                break
        return tuple(found)

    def _asked_at(self, start: Start) -> Ask | None:
        """What is asked at a place; a call of what is plainly no read is not looked at any further."""
        engine = self.engine
        engine.ask("reads of what forgets", RECEIVER_FUEL)
        view = engine.view(start.module, start.function)
        term = view.terms[start.term]
        callee = view.value(term[1]) if term[0] == "call" else None
        if callee is not None and callee.kind in ("attr", "ext"):
            target, receiver = self.named(callee)
            if not engine.models.all_of("store.reads", target, receiver) and self.http(callee, target) is None:
                return None
        return self.of(view.value(start.term))

    @cached_property
    def _by_last(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for name in self._read_names:
            found.setdefault(name.rpartition(".")[2], []).append(name)
        return {last: tuple(names) for last, names in found.items()}

    def named(self, callee: Value) -> tuple[str, str]:
        """The dotted name of what is called and the receiver's name, also for a part of a client of a known library."""
        calls = self.engine.calls
        target, receiver = calls.target(callee), calls.receiver(callee)
        if callee.kind != "attr":
            return target, receiver
        base = callee.args[0]
        if not receiver and base.kind == "result" and base.args[0].kind == "attr":
            receiver = str(base.args[0].args[1])  # service.users().history().list(…)
        if target.startswith("*."):
            owner = self.engine.attributes.type_of(root(base))
            top = owner.dotted.partition(".")[0] if owner is not None and owner.kind == "ext" else ""
            for name in self._by_last.get(callee.args[1], ()) if top else ():
                if name.startswith(f"{top}."):
                    return name, receiver
        return target, receiver

    @cached_property
    def _read_names(self) -> tuple[str, ...]:
        return tuple(name for store in self.engine.models.stores for read in store.reads for name in read.calls)

    @cached_property
    def names(self) -> frozenset[str]:
        """The last names of all reads of modelled stores."""
        return frozenset(name.rpartition(".")[2] for name in self._read_names)

    # values

    def of(self, value: Value) -> Ask | None:
        """What was asked where a value comes from; None for everything else."""
        if value.kind not in ("result", "attr", "item"):
            return None
        if value not in self._known:
            self._known[value] = None
            self._known[value] = self._of(value)
        return self._known[value]

    def _of(self, value: Value) -> Ask | None:
        models = self.engine.models
        callee = value.args[0] if value.kind == "result" else value
        if callee.kind == "item":
            return None
        target, receiver = self.named(callee)
        args, kwargs = (value.args[1], value.args[2]) if value.kind == "result" else ((), ())
        for store, read in models.all_of("store.reads", target, receiver):
            if read.attribute != (value.kind == "attr") or (read.needs and not {k for k, _ in kwargs} & {*read.needs}):
                continue
            key = callee.args[0] if read.key == "self" and callee.kind == "attr" else None
            if read.key != "self":
                key = argument(read.key, args, kwargs)
            life = self.lives.of_store(store, key)
            return self._modelled(value, store, read, key, life)
        return self._by_address(value, callee, target, args, kwargs)

    def _modelled(self, value: Value, store: Store, read: Read, key: Value | None, life: str) -> Ask:
        library = self._library(read.calls[0])
        misses = read.miss
        codes = {m.partition(":")[2] for m in misses if m.startswith("status:")}
        named = [*read.raises, *store.gone]
        codes |= {one for one in named if "." not in one and one not in _BUILTIN}
        classes = tuple(one for one in named if "." in one or one in _BUILTIN)
        if library is not None and not classes and "raise" in misses:
            classes = (*library.gone[:1], *library.expired[:1]) or library.mixed[:1]
        outages = store.outage or (library.outage if library is not None else ())
        return Ask(value, store.name, misses, frozenset(codes), classes, outages[:3], key, life)

    def _library(self, call: str) -> object | None:
        """The exceptions of the library that a call belongs to."""
        exact = [one for one in self.engine.models.exceptions if call.startswith(f"{one.library}.")]
        if exact:
            return max(exact, key=lambda one: len(one.library))
        if call.startswith(("boto3.", "aiobotocore.")):
            return next((one for one in self.engine.models.exceptions if one.library == "botocore"), None)
        return None

    def _by_address(self, value: Value, callee: Value, target: str, args: tuple, kwargs: tuple) -> Ask | None:
        """An HTTP read: of a known service, or of an address at which the project has something kept for a time."""
        library = self.http(callee, target)
        if library is None or value.kind != "result":
            return None
        at = 1 if callee.kind == "attr" and callee.args[1] in ("request", "stream") else 0
        address = args[at] if at < len(args) else dict(kwargs).get("url")
        if address is None:
            return None
        store = self.engine.models.store_at(said_address(address))
        life = self.lives.of_store(store, address) if store is not None else self.lives.of_address(address)
        codes = {m.partition(":")[2] for m in store.miss if m.startswith("status:")} if store is not None else set()
        codes = codes or ({"404", "410"} if life else {"410"})
        found = self._library(f"{library}.get")
        outages = found.outage if found is not None else ()
        misses = ("status",) if store is None else store.miss
        name = store.name if store is not None else "service"
        return Ask(value, name, misses, frozenset(codes), (), outages[:2], address, life, http=True)

    def http(self, callee: Value, target: str) -> str | None:
        """The HTTP library whose read a call is; a client that is only named so counts as any."""
        name = target.rpartition(".")[2]
        if name not in HTTP_READS:
            return None
        top = target.partition(".")[0]
        if top in HTTP_ROOTS:
            return top
        receiver = self.engine.calls.receiver(callee)
        return "requests" if top == "*" and receiver.strip("_") in CLIENTS else None

    def status(self, value: Value) -> Ask | None:
        """What was asked where a value is the status of an answer."""
        if value.kind == "attr" and value.args[1] in ("status_code", "status", "code"):
            ask = self.of(value.args[0])
            return ask if ask is not None and ask.http else None
        return None

    def place_of(self, ask: Ask) -> tuple[int, tuple[int, int, int, int]] | None:
        """The module and the place of the call that asks."""
        for start in self.starts:
            for view in self.engine.views_of(start.module, start.function):
                if view.value(start.term) is ask.value:
                    return start.module, start.place
        return None


def said_address(value: Value) -> str:
    """The fixed parts of an address, each unknown part as `{}`."""
    if value.kind == "str":
        return str(value.args[0])
    if value.kind == "fstr":
        return "".join(said_address(part) for part in value.args[0])
    if value.kind == "result" and value.args[0].kind == "+":
        return "".join(said_address(part) for part in value.args[1])
    return "{}"


def pinned(value: Value | None) -> bool:
    """Whether a key hangs on something that stays with the item: a path, or a text with a path in it."""
    if value is None:
        return False
    if value.kind in ("fstr",):
        return any(pinned(part) for part in value.args[0])
    if value.kind in ("seq",):
        return any(pinned(part) for part in value.args[1])
    if value.kind == "map":
        return any(pinned(part) for _, part in value.args[0])
    if value.kind in ("case", "phi"):
        return any(pinned(arm[1] if value.kind == "case" else arm) for arm in value.args[0])
    if value.kind == "result" and (value.args[0].kind in ("ext", "fn") or value.args[1] or value.args[2]):
        inner = (*value.args[1], *(v for _, v in value.args[2]))
        return any(pinned(part) for part in inner) or (not inner or value.args[0].kind == "attr")
    if value.kind == "lin":
        return bool(value.args[1].terms)
    return value.kind in PATHS and root(value).kind not in ("unknown",)


_BUILTIN = frozenset({"KeyError", "ValueError", "LookupError", "FileNotFoundError"})
