// What every page needs.
import "./dialogs.js";
import "./settings.js";
