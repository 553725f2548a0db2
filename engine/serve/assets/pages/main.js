// The script of all pages that are not screens.

import './focus.js';
import './refresh.js';
