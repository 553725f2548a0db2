// Files that are dropped on a form. Without this script they are chosen.

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form.drop'))) {
  const input = /** @type {HTMLInputElement} */ (form.querySelector('[type=file]'));
  /** @param {boolean} isOver */
  const show = (isOver) => form.classList.toggle('over', isOver);
  form.addEventListener('dragover', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    show(true);
  });
  form.addEventListener('dragleave', () => show(false));
  form.addEventListener('drop', (event) => {
    const files = event.dataTransfer?.files;
    if (!files?.length) return;
    event.preventDefault();
    show(false);
    input.files = files;
    input.focus();
  });
}
