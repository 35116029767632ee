"""Runs the Python code of docs/webhooks.md that verifies deliveries."""

from __future__ import annotations

import re
import unittest
from pathlib import Path
from typing import Any

PAGE = Path(__file__).parents[2] / "docs" / "webhooks.md"

# The example of Standard Webhooks.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
BODY = b'{"test": 2432232314}'
SENT = 1614265330
HEADERS = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": str(SENT),
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}


def code() -> dict[str, Any]:
    """Returns what the only Python block of the page defines."""
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"))
    if len(blocks) != 1:
        raise AssertionError(f"{PAGE} has {len(blocks)} Python blocks")
    names: dict[str, Any] = {}
    exec(blocks[0], names)  # noqa: S102
    return names


class WebhooksPage(unittest.TestCase):
    def setUp(self) -> None:
        self.verify = code()["verify"]

    def test_delivery_of_the_service_is_verified(self) -> None:
        self.assertTrue(self.verify(SECRET, HEADERS, BODY, now=SENT + 299))

    def test_one_of_several_signatures_is_enough(self) -> None:
        several = {**HEADERS, "webhook-signature": "v1,AAAA " + HEADERS["webhook-signature"]}
        self.assertTrue(self.verify(SECRET, several, BODY, now=SENT))

    def test_changed_delivery_is_rejected(self) -> None:
        self.assertFalse(self.verify(SECRET, HEADERS, BODY + b" ", now=SENT))
        self.assertFalse(self.verify(SECRET, {**HEADERS, "webhook-id": "msg_other"}, BODY, now=SENT))
        self.assertFalse(self.verify("whsec_" + "A" * 32, HEADERS, BODY, now=SENT))

    def test_old_delivery_is_rejected(self) -> None:
        self.assertFalse(self.verify(SECRET, HEADERS, BODY, now=SENT + 301))
        self.assertFalse(self.verify(SECRET, HEADERS, BODY))


if __name__ == "__main__":
    unittest.main()
