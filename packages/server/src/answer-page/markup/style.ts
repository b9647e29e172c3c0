/** Colors and sizes of the React cards (`styles/theme/tokens.css`), so that both look the same. */
const TOKENS = `color-scheme:light dark;--bg:light-dark(#ffffff, #191a1d);--fg:light-dark(#1b1c1f, #ececef);--muted:light-dark(#5d6068, #a4a7af);--border:light-dark(#dfe0e4, #35373c);--accent:light-dark(#2354d3, #8fb1ff);--on-accent:light-dark(#ffffff, #0b1a40);--danger:light-dark(#b3261e, #ff9d93);--on-danger:light-dark(#ffffff, #3b0906);--success:light-dark(#1a7340, #74d69b);--soft:color-mix(in srgb, var(--fg) 4%, var(--bg));--control:color-mix(in srgb, var(--fg) 50%, var(--bg));--radius:10px;--code:ui-monospace, 'SF Mono', Menlo, Consolas, monospace`

/** The only style of a page. */
export const STYLE = `:root{${TOKENS}}
*{box-sizing:border-box}
body{margin:0;background:var(--soft);color:var(--fg);font:16px/1.5 system-ui,sans-serif}
main{max-width:40rem;margin:1rem auto;padding:1.25rem;background:var(--bg);border:1px solid var(--border);border-radius:var(--radius)}
@media(max-width:42rem){body{background:var(--bg)}main{margin:0;border:0}}
h1{margin:.25rem 0;font-size:1.125rem;line-height:1.4;font-weight:600;overflow-wrap:anywhere;white-space:pre-wrap}
h2{margin:1.25rem 0 .5rem;font-size:.875rem;font-weight:600}
p{margin:.5rem 0}
.muted,.description{color:var(--muted);font-size:.875rem}
.danger,.error{color:var(--danger)}.good{color:var(--success)}.warning{font-weight:600}
.facts,ul{padding-inline-start:1.25rem;margin:.5rem 0}
dl{display:grid;grid-template-columns:fit-content(40%) minmax(0,1fr);gap:.25rem 1rem;margin:.5rem 0;padding:.75rem;background:var(--soft);border-radius:6px;overflow-wrap:anywhere}
dl dl,dd ul{padding:0;margin:0;background:none}dl dl{column-gap:.5rem}dt{color:var(--muted)}dd{margin:0;white-space:pre-wrap}dd ul{padding-inline-start:1rem}
@media(max-width:22rem){dl,dl dl{display:block}dd{margin-bottom:.5rem}}
code,pre{font-family:var(--code);font-size:.8125rem}
pre{margin:.5rem 0;padding:.75rem;background:var(--soft);border-radius:6px;overflow-x:auto;white-space:pre-wrap;overflow-wrap:anywhere;direction:ltr;text-align:left}
.line{display:block}.added{color:var(--success)}.removed{color:var(--danger)}
fieldset{border:0;padding:0;margin:1rem 0;min-width:0}legend,label.name{display:block;padding:0;font-weight:600;margin-bottom:.25rem}
.field{margin:1rem 0}.group{padding:0 1rem;border:1px solid var(--border);border-radius:6px}.group>legend{padding:0 .25rem}.money{display:flex;gap:.5rem;align-items:center}.days{display:flex;flex-wrap:wrap;gap:.5rem 1rem}.day{flex:1 1 9rem;min-width:0}.choice{display:flex;gap:.5rem;align-items:baseline;min-height:2rem}.choice input{flex:none;position:relative;top:.1875rem}
input:not([type=radio],[type=checkbox]),select,textarea{width:100%;min-width:0;min-height:2.75rem;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--bg);border:1px solid var(--control);border-radius:6px}
textarea{min-height:6rem}input[type=radio],input[type=checkbox]{width:1.125rem;height:1.125rem;accent-color:var(--accent)}
[aria-invalid=true]{border-color:var(--danger)!important;border-width:2px!important}
.step{display:flex;align-items:center;gap:.75rem;margin-top:1.25rem;color:var(--muted);font-size:.875rem}progress{flex:0 1 8rem;height:.375rem;appearance:none;border:0;border-radius:3px;overflow:hidden;background:var(--border)}progress::-webkit-progress-bar{background:var(--border)}progress::-webkit-progress-value{background:var(--accent)}progress::-moz-progress-bar{background:var(--accent)}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.25rem}
a.button{display:inline-block}button,a.button{font:inherit;font-weight:600;min-height:2.75rem;padding:.5rem 1.25rem;border:1px solid var(--control);border-radius:6px;background:var(--bg);color:var(--fg);cursor:pointer;text-decoration:none;overflow-wrap:anywhere}
.primary{background:var(--accent)!important;border-color:var(--accent)!important;color:var(--on-accent)!important}
.primary.risky{background:var(--danger)!important;border-color:var(--danger)!important;color:var(--on-danger)!important}
a{color:var(--accent)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[role=alert]{padding:.75rem;border:1px solid var(--danger);border-radius:6px;margin:.75rem 0}
@media(forced-colors:active){button{border-width:2px}}
@media print{:root{color-scheme:light}body{background:none}main{max-width:none;margin:0;padding:0;border:0}.actions,summary{display:none}}`
