// Where the keyboard goes on when something opens. The attribute `autofocus` is not used: browsers would look at it when the
// page is loaded, too.

document.addEventListener('toggle', (event) => {
  const target = /** @type {Element} */ (event.target);
  if (target.matches(':popover-open')) target.querySelector('[data-first]')?.focus();
  if (!target.matches('details[open]')) return;
  // The first empty field of the form.
  const fields = [...target.querySelectorAll('input:not([type=hidden])')];
  (fields.find((field) => field.value === '') ?? fields[0])?.focus();
}, true);
