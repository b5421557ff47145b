// What every page does in a browser: times, theme, changes, news, search, keys.
import { startActions } from "./actions.js";
import { startChoosing } from "./choose.js";
import { startFurther } from "./further.js";
import { startKeys } from "./keys.js";
import { startLive } from "./live.js";
import { startOperations } from "./operations.js";
import { startStill } from "./still.js";
import { startSuggestions } from "./suggest.js";
import { startTheme } from "./theme-button.js";
import { startTimes } from "./times.js";
import { startViews } from "./views.js";

// On a phone the menu is longer than the screen.
document.querySelector(".top nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
startTheme();
startTimes();
startActions();
startOperations();
startViews();
startChoosing();
startSuggestions();
startStill();
startFurther();
startKeys();
startLive();
