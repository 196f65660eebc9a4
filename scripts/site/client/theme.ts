/* Before anything is drawn, so that no page flashes in the wrong colours. */
const kept = localStorage.getItem('symbolon-theme');
if (kept !== null) document.documentElement.dataset.theme = kept;
