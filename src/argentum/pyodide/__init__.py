"""The static edition: the server application runs in the browser, on Pyodide.

`make static` builds it with `tools/build_static.py`. The folder `static` has the worker that starts Python, the socket
from a page to that worker, and the service worker for playing offline.
"""
