"""The anchors of the HTTP figures: a Flask hello-world, and a bare append in a plain Flask view."""

import os

from flask import Flask, request
from redis import Redis

hello = Flask("hello")


@hello.get("/")
def say_hello():
    return "hello"


append = Flask("append")
_redis = Redis.from_url(os.environ["REDIS_URL"]) if "REDIS_URL" in os.environ else None


@append.post("/append/<stream>")
def bare_append(stream):
    body = request.get_json()
    id = _redis.xadd(f"bare:{stream}", {"c": request.get_data(), "t": body["type"]})
    return {"id": id.decode()}, 201
