import { Page } from './page';

const root = document.getElementById('heatline');
if (root !== null) void new Page(root).start();
