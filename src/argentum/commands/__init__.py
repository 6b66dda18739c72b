"""The sub-commands, a module each: `argentum NAME` is the click command called `command` in the module of that name."""
