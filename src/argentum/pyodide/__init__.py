"""The static edition: the server's part, played in the browser by the same rooms, words and templates.

`make static` builds it with `tools/build_static.py`. In `files` is what runs beside Python: a worker that starts it,
the line from the page to that worker, and the service worker for playing offline.
"""
