"""Sub-commands, one module each: `argentum NAME` runs the click command `command` of the module NAME."""
