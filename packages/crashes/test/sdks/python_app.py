"""An app with Python's sentry_sdk: a chained error that nobody catches."""
import os

import sentry_sdk

sentry_sdk.init(
    dsn=os.environ["DSN"], release="shop@2.1.0+42", environment="staging", server_name="host.example"
)
sentry_sdk.set_user({"id": "nine", "email": "ada@example.com", "ip_address": "203.0.113.9"})
sentry_sdk.set_tag("tenant", "acme")
sentry_sdk.add_breadcrumb(category="cart", message="opened by ada@example.com", level="info")


def load_cart():
    return {}["cart 17"]


def pay():
    try:
        load_cart()
    except KeyError as cause:
        raise ValueError("no cart for ada@example.com") from cause


pay()
