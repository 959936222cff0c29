// Opens report pages in a browser, light and dark, wide and narrow, and has axe-core check them with everything unfolded.
// Usage: node check.js BROWSER PAGE...
const fs = require('fs');
const path = require('path');
const { chromium } = require('playwright-core');

const axe = fs.readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const [browserPath, ...pages] = process.argv.slice(2);

// What a page's own content security policy keeps it from doing; that policy would keep axe-core out, too.
async function blocked(browser, page) {
  const tab = await browser.newPage();
  const complaints = [];
  tab.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await tab.goto('file://' + path.resolve(page));
  await tab.close();
  complaints.forEach((each) => console.log(`${page}: ${each}`));
  return complaints.length;
}

async function check(browser, page, colorScheme, width) {
  const context = await browser.newContext({ bypassCSP: true, colorScheme, viewport: { width, height: 800 } });
  const tab = await context.newPage();
  await tab.goto('file://' + path.resolve(page));
  const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  await tab.evaluate(() => {
    document.querySelectorAll('details').forEach((each) => {
      // One figure's table is like all others.
      each.open = !each.closest('figure') || each === document.querySelector('figure details');
    });
  });
  // Text cannot be measured where it is scrolled out of sight, under a column that stays, or on a shadow.
  await tab.addStyleTag({
    content: '.table { max-height: none !important; overflow: visible !important; background: none !important; }'
      + ' th { position: static !important; }',
  });
  await tab.addScriptTag({ content: axe });
  const result = await tab.evaluate(() => axe.run());
  const complaints = result.violations.map(
    (each) => `${each.id}: ${each.help}, ${each.nodes.length} times, first ${each.nodes[0].html.slice(0, 200)}`);
  if (wide > 0) {
    complaints.push(`the page is ${wide} pixels wider than the window`);
  }
  if (result.passes.length === 0) {
    complaints.push('nothing was checked');
  }
  const name = `${page}, ${colorScheme}, ${width} pixels`;
  console.log(`${name}: ${result.passes.length} rules hold, ${complaints.length} do not`);
  complaints.forEach((each) => console.log(`  ${each}`));
  await context.close();
  return complaints.length;
}

(async () => {
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] });
  let complaints = pages.length === 0 ? 1 : 0;
  for (const page of pages) {
    complaints += await blocked(browser, page);
    complaints += await check(browser, page, 'light', 1280);
    complaints += await check(browser, page, 'dark', 390);
  }
  await browser.close();
  process.exit(complaints === 0 ? 0 : 1);
})();
