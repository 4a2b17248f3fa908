"""A network path with a known round trip, and its witness.

Reads packets from a TUN device, holds each for half the round trip, swaps its two addresses and puts it back, so that what
this machine sends to a neighbour of the device comes back to its own servers, and their answers to its own clients. The
checksums stay right, since they are sums over both addresses.

    reflector.py DEVICE ROUND_TRIP_MS

It writes a line for each TCP packet that opens, ends or carries data: when it was read and when it was put back (epoch µs),
source and destination port, flags, bytes of data, and the first of them (22 is a TLS handshake, 23 what follows it).
"""
import collections, fcntl, os, select, struct, sys, time

TUNSETIFF = 0x400454CA
IFF_TUN_WITHOUT_HEADER = 0x0001 | 0x1000
MTU = 1500
TCP = 6
FIN, SYN, RST = 1, 2, 4
PRIORITY = 10


def main(device, round_trip_ms):
    tun = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(tun, TUNSETIFF, struct.pack("16sH", device.encode(), IFF_TUN_WITHOUT_HEADER))
    try:
        # Beside busy browsers the witness must not be late itself.
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except OSError as error:
        print(f"without priority: {error}", file=sys.stderr)
    half = round_trip_ms / 2000
    held = collections.deque()
    print("ready", flush=True)
    while True:
        wait = held[0][1] - time.time() if held else None
        # A timer of select may end late by a tenth of a millisecond: the last part is waited for by looking.
        readable, _, _ = select.select([tun, 0], [], [], None if wait is None else max(0, wait - 0.0001))
        if 0 in readable and not os.read(0, 1):
            return  # whoever started this is gone, or has had enough
        while tun in readable:
            try:
                packet = os.read(tun, MTU)
            except BlockingIOError:
                break
            if packet[0] >> 4 == 4:
                now = time.time()
                held.append((now, now + half, packet[:12] + packet[16:20] + packet[12:16] + packet[20:]))
        while held and held[0][1] <= time.time():
            read_at, _, packet = held.popleft()
            os.write(tun, packet)
            tell(read_at, time.time(), packet)
        if not held:
            sys.stdout.flush()


def tell(read_at, written_at, packet):
    if packet[9] != TCP:
        return
    start = (packet[0] & 15) * 4
    source, destination = struct.unpack_from("!HH", packet, start)
    flags = packet[start + 13]
    data = packet[start + (packet[start + 12] >> 4) * 4 : struct.unpack_from("!H", packet, 2)[0]]
    if data or flags & (FIN | SYN | RST):
        first = data[0] if data else 0
        print(int(read_at * 1e6), int(written_at * 1e6), source, destination, flags, len(data), first)


main(sys.argv[1], float(sys.argv[2]))
