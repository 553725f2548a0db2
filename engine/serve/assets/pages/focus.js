// A form that opens has the focus in its first empty field, so that the keyboard goes on there. Pop-overs do it by
// themselves (`autofocus`).

document.addEventListener('toggle', ({ target }) => {
  if (!target.matches('details') || !target.open) return;
  const fields = [...target.querySelectorAll('input:not([type=hidden])')];
  (fields.find((field) => field.value === '') ?? fields[0])?.focus();
}, true);
