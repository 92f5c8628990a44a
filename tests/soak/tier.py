"""The storage below the service's memory, in bad moods: a Redis that dies, hangs, lies or is full, and a full disk."""
import asyncio
import collections
import contextlib
import random
import resource
import socket
import subprocess
import tempfile

MOODS = ["well", "dead", "well", "hung", "well", "forged", "well", "full", "well", "full disk"]
# Longer than a server leaves a tier alone that has failed.
SECONDS = 4
# A file longer than this cannot be written while the disk is full.
FULL_AT = 8 << 10


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Redis:
    """A Redis of our own, which keeps nothing after it ends."""

    def __init__(self):
        self.port = free_port()
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(command, cwd=tempfile.gettempdir(), stdout=subprocess.DEVNULL)
        self.reader = self.writer = None

    async def call(self, *words):
        """Sends one command and returns its answer: bytes or nothing."""
        if self.writer is None:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 26)
        words = [word if isinstance(word, bytes) else str(word).encode() for word in words]
        self.writer.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%s\r\n" % (len(word), word) for word in words))
        line = await self.reader.readline()
        if line[:1] != b"$":
            return line
        return (await self.reader.readexactly(int(line[1:]) + 2))[:-2] if line[1:2] != b"-" else None

    async def has_room(self, is_so):
        await self.call("CONFIG", "SET", "maxmemory", "256mb" if is_so else "1mb")
        await self.call("CONFIG", "SET", "maxmemory-policy", "allkeys-lru" if is_so else "noeviction")

    async def forge(self):
        """Changes an entry, or replaces it with another one."""
        key, other = [await self.call("RANDOMKEY") for _ in range(2)]
        value = await self.call("GET", other) if key and other else None
        if not value:
            return 0
        if random.random() < 0.5:
            at = random.randrange(len(value))
            value = value[:at] + bytes([value[at] ^ 1 << random.randrange(8)]) + value[at + 1 :]
        elif key == other:
            return 0
        await self.call("SET", key, value)
        return 1


class Tier:
    """The connection to that Redis, and the moods of all storage; `counts` has their effects."""

    def __init__(self):
        self.redis = Redis()
        self.port = free_port()
        self.mood = "well"
        self.rounds = 0
        self.connections = set()
        self.counts = collections.Counter()

    async def relay(self, reader, writer):
        self.counts["connections to the shared tier"] += 1
        self.connections.add(writer)
        try:
            if self.mood == "dead":
                return
            other_reader, other_writer = await asyncio.open_connection("127.0.0.1", self.redis.port)
            try:
                await asyncio.gather(self.pump(reader, other_writer), self.pump(other_reader, writer))
            finally:
                other_writer.close()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            self.connections.discard(writer)
            writer.close()

    async def pump(self, reader, writer):
        while piece := await reader.read(1 << 16):
            if self.mood == "hung":
                self.counts["pieces that hung"] += 1
                continue
            writer.write(piece)
            await writer.drain()
        writer.close()

    def cut(self):
        for writer in list(self.connections):
            writer.close()

    async def live(self, process):
        """Serves the shared tier and limits a server's disk. Changes its mood until it is cancelled; then all is well
        again."""
        limit = resource.prlimit(process.pid, resource.RLIMIT_FSIZE)
        relay = await asyncio.start_server(self.relay, "127.0.0.1", self.port)
        try:
            for number in range(1 << 62):
                self.rounds, at = divmod(number, len(MOODS))
                self.mood = MOODS[at]
                self.counts[self.mood] += 1
                await self.redis.has_room(self.mood != "full")
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (FULL_AT, limit[1]) if self.mood == "full disk" else limit)
                # Connections that hung, or whose server is to die, are not used again.
                if self.mood == "dead" or MOODS[at - 1] == "hung":
                    self.cut()
                if self.mood == "forged":
                    for _ in range(SECONDS * 100):
                        self.counts["entries that were forged"] += await self.redis.forge()
                        await asyncio.sleep(0.01)
                else:
                    await asyncio.sleep(SECONDS)
        finally:
            with contextlib.suppress(ProcessLookupError):
                resource.prlimit(process.pid, resource.RLIMIT_FSIZE, limit)
            relay.close()
            self.cut()

    def end(self):
        self.redis.process.kill()
        self.redis.process.wait()
