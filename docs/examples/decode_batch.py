"""Decodes a batch in version 2 (docs/wire-format.md) from standard input into JSON as in version 1."""
import json, struct, sys, uuid
TEXTS = """target host scheme template type protocol source connection connectionEvidence handshake handshakeEvidence
    excluded error unknown responseMark tlsVersion tlsCipher tlsKeyExchange tlsIssuer""".split()
TIMES = "blocked dns tcp tls wait receive redirect ttfb ttlb".split()
NUMBERS = "status transferSize encodedBodySize decodedBodySize idleMs serverTime".split()
NAMES = dict(enumerate(TEXTS, 16)) | dict(enumerate(TIMES, 64)) | dict(enumerate(NUMBERS, 80))


def decode(body):
    magic, version, n, batch, sent, first, count, client, status = struct.unpack_from("<4sHH16s6s6sHHI", body)
    assert magic == b"LSTB" and version == 2, "not a batch in version 2"
    at = 44 + client
    header = {"version": 1, "batch": str(uuid.UUID(bytes=batch)), **json.loads(body[44:at])}
    header |= {"sentAt": int.from_bytes(sent, "little"), "n": n}
    header |= {"status": json.loads(body[at:at + status])} if status else {}
    at, texts, columns, times, metrics = at + status, {}, {"at": []}, {}, {}
    for _ in range(count):
        number, width, strings, length = struct.unpack_from("<BBHI", body, at)
        start, words = at + 8 + 2 * strings, []
        for size in struct.unpack_from(f"<{strings}H", body, at + 8):
            words.append(body[start:start + size].decode(errors="replace"))
            start += size
        at, name = at + 8 + length, NAMES.get(number, "")
        stored = [int.from_bytes(body[start + row:at:n], "little") for row in range(n)]  # one byte of each plane
        values = [value - 1 if value else None for value in stored] if width else [0] * n
        if number == 1:
            columns["at"] = [-(value + 1) // 2 if value % 2 else value // 2 for value in stored]
            columns["at"][0] += int.from_bytes(first, "little")
        elif number == 128:
            metrics[words[0]] = [None if value != value else value for value in struct.unpack_from(f"<{n}d", body, start)]
        elif name in TEXTS:
            unknown = [dict(part.split("=") for part in word.split()) for word in words if name == "unknown"]
            texts[name], columns[name] = unknown or words, values
        elif name:
            (times if name in TIMES else columns)[name] = values
    return header | {"dictionaries": texts, "columns": columns | {"times": times} | ({"metrics": metrics} if metrics else {})}


json.dump(decode(sys.stdin.buffer.read()), sys.stdout)
