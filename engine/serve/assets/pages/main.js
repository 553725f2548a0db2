// The script of all pages that are not screens.

import './drop.js';
import './focus.js';
import './refresh.js';
