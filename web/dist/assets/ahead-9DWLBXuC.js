// Runs before everything else of the page: what the page is going to need is asked for while its modules are on their way.
// The build puts this in place of `built`: which files each page is made of, and all others.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/home",["/assets/home-page-sSk5wCJC.js","/assets/home-page-hWBGi7Bw.css","/assets/whole-days-BDrm2crc.js","/assets/meeting-data-Bi1shSW4.js","/assets/notification-row-CkEjVUHw.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CrAEeX-N.js","/assets/use-open-record-DKGJk23D.js","/assets/in-sentence-G8KTgafj.js","/assets/record-name-DTv6c8sB.js","/assets/task-row-CDfCMRg8.js","/assets/use-task-writes-DIsOSXrV.js","/assets/use-task-writes-ByjeI2No.css"]],["/r/[^/]+",["/assets/list-page-CpPRBS-s.js","/assets/list-page-COwTjPrt.css","/assets/no-access-Buajmrz3.js","/assets/shown-meanwhile-C4u6bsC4.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-CrAEeX-N.js","/assets/value-editor-DmFU7q93.js","/assets/value-editor--hc1I7dR.css","/assets/value-B22yNCf_.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/words-CqcP-bbT.js","/assets/direction-COdUsXGH.js","/assets/row-height-OLD2B6ZW.js"]],["/r/[^/]+/trash",["/assets/trash-page-DBa_jI6h.js","/assets/trash-page-BCfhwtIE.css","/assets/no-access-Buajmrz3.js"]],["/r/[^/]+/[^/]+",["/assets/record-page-wrZallYD.js","/assets/record-page-BAFoQb4v.css","/assets/shown-meanwhile-C4u6bsC4.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-CrAEeX-N.js","/assets/value-editor-DmFU7q93.js","/assets/value-editor--hc1I7dR.css","/assets/value-B22yNCf_.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/direction-COdUsXGH.js","/assets/in-sentence-G8KTgafj.js"]],["/inbox(/[^/]+)?",["/assets/inbox-page-ClxqZAtA.js","/assets/reply-form-BTUwT7T-.js","/assets/reply-form-1RSUgmi1.css","/assets/icons-CrAEeX-N.js","/assets/esm-D01SDpyJ.js","/assets/record-name-DTv6c8sB.js","/assets/task-composer-BTrazreZ.js","/assets/use-task-writes-DIsOSXrV.js","/assets/use-task-writes-ByjeI2No.css","/assets/whole-days-BDrm2crc.js"]],["/tasks",["/assets/tasks-page-CkkxM81c.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-CrAEeX-N.js","/assets/no-access-Buajmrz3.js","/assets/task-composer-BTrazreZ.js","/assets/use-task-writes-DIsOSXrV.js","/assets/use-task-writes-ByjeI2No.css","/assets/whole-days-BDrm2crc.js","/assets/esm-D01SDpyJ.js","/assets/task-row-CDfCMRg8.js"]],["/calendar",["/assets/calendar-page-DAmee_Xe.js","/assets/calendar-page-BmEPmmAg.css","/assets/direction-COdUsXGH.js","/assets/whole-days-BDrm2crc.js","/assets/meeting-data-Bi1shSW4.js"]],["/notifications",["/assets/notifications-page-Bxv7V7wX.js","/assets/esm-D01SDpyJ.js","/assets/notification-row-CkEjVUHw.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CrAEeX-N.js","/assets/use-open-record-DKGJk23D.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards",["/assets/dashboards-page-BWaSaCjX.js","/assets/new-by-name-Doh1tm1w.js","/assets/use-dashboards-TATX6gj8.js","/assets/use-dashboards-Cslc0bD7.css"]],["/dashboards/[^/]+",["/assets/dashboard-page-CTW2qltA.js","/assets/icons-CrAEeX-N.js","/assets/use-dashboards-TATX6gj8.js","/assets/use-dashboards-Cslc0bD7.css","/assets/value-text-BI4Mz9QU.js"]],["/lists",["/assets/lists-page-DQhJY0cy.js","/assets/new-by-name-Doh1tm1w.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/lists/[^/]+",["/assets/list-entries-page-Dw6EqMD0.js","/assets/icons-CrAEeX-N.js","/assets/record-name-DTv6c8sB.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-DmFU7q93.js","/assets/value-editor--hc1I7dR.css","/assets/value-B22yNCf_.js","/assets/value-Dge1Pjxo.css"]],["/duplicates(/[^/]+)?",["/assets/duplicates-page-CPL0aX3U.js","/assets/duplicates-page-DC9tv7yS.css","/assets/record-name-DTv6c8sB.js","/assets/icons-CrAEeX-N.js","/assets/value-B22yNCf_.js","/assets/value-Dge1Pjxo.css"]],["/agents(/[^/]+)?",["/assets/agents-page-R1-7QKKM.js","/assets/agents-page-Cy4n7DKx.css","/assets/icons-CrAEeX-N.js","/assets/value-text-BI4Mz9QU.js"]],["/import",["/assets/imports-page-C-RJhU05.js","/assets/read-file-BmORsqIn.js","/assets/read-file-B2JhgdFG.css"]],["/import/[^/]+",["/assets/import-page-CYxBGQKu.js","/assets/icons-CrAEeX-N.js","/assets/read-file-BmORsqIn.js","/assets/read-file-B2JhgdFG.css","/assets/value-text-BI4Mz9QU.js","/assets/save-file-Ditcmzjl.js"]],["/settings(/[^/]+)?",["/assets/settings-page-C40-CcuX.js","/assets/icons-CrAEeX-N.js","/assets/pages-DHm-oQET.js","/assets/settings.module-Bq_xyMOC.js","/assets/settings-Dv6M3SZR.css"]]],"others":["/assets/code-block-Bs8TEpsF.js","/assets/code-block-FkKBZDUO.css","/assets/direction-COdUsXGH.js","/assets/esm-D01SDpyJ.js","/assets/field-form-DjnyI2Ww.js","/assets/field-form-WDBlqgMW.css","/assets/icons-CrAEeX-N.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-Ki1n5ejP.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-BKCQhcaA.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-Bi1shSW4.js","/assets/menu-BeElnPb7.css","/assets/menu-a_5XWDVj.js","/assets/new-by-name-Doh1tm1w.js","/assets/no-access-Buajmrz3.js","/assets/notification-row-CFO-YrFB.css","/assets/notification-row-CkEjVUHw.js","/assets/pages-DHm-oQET.js","/assets/people-data-CCw98PYZ.js","/assets/read-file-B2JhgdFG.css","/assets/read-file-BmORsqIn.js","/assets/read-only-CS3Gc-Bd.js","/assets/record-name-DTv6c8sB.js","/assets/reply-form-1RSUgmi1.css","/assets/reply-form-BTUwT7T-.js","/assets/row-height-OLD2B6ZW.js","/assets/save-file-Ditcmzjl.js","/assets/setting-C81bIire.js","/assets/setting-list-DND9Zjju.js","/assets/setting-table-CNKO11PK.js","/assets/setting-texts-CTkS39re.js","/assets/settings-Dv6M3SZR.css","/assets/settings.module-Bq_xyMOC.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/shown-meanwhile-C4u6bsC4.js","/assets/task-composer-BTrazreZ.js","/assets/task-row-CDfCMRg8.js","/assets/use-dashboards-Cslc0bD7.css","/assets/use-dashboards-TATX6gj8.js","/assets/use-open-record-DKGJk23D.js","/assets/use-task-writes-ByjeI2No.css","/assets/use-task-writes-DIsOSXrV.js","/assets/value-B22yNCf_.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-DmFU7q93.js","/assets/value-text-BI4Mz9QU.js","/assets/whole-days-BDrm2crc.js","/assets/words-CqcP-bbT.js","/assets/agents-page-R1-7QKKM.js","/assets/agents-page-Cy4n7DKx.css","/assets/assistant-BhVjp-6P.js","/assets/going-D_MQa9LP.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-DwzHlaiv.js","/assets/palette-Bl8z7SfG.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-3WfShHK2.js","/assets/board-CDGnuSxr.js","/assets/board-C-iKLePh.css","/assets/calendar-page-DAmee_Xe.js","/assets/calendar-page-BmEPmmAg.css","/assets/dashboard-page-CTW2qltA.js","/assets/dashboards-page-BWaSaCjX.js","/assets/delete-dashboard-D0kbLFOS.js","/assets/new-chart-BeLM_3AA.js","/assets/duplicates-page-CPL0aX3U.js","/assets/duplicates-page-DC9tv7yS.css","/assets/home-page-sSk5wCJC.js","/assets/home-page-hWBGi7Bw.css","/assets/german-BVe9Gi3_.js","/assets/import-page-CYxBGQKu.js","/assets/imports-page-C-RJhU05.js","/assets/inbox-page-ClxqZAtA.js","/assets/new-mail-BzAS6kyF.js","/assets/thread-marks-U1LC1DDk.js","/assets/list-entries-page-Dw6EqMD0.js","/assets/lists-page-DQhJY0cy.js","/assets/notifications-page-Bxv7V7wX.js","/assets/add-related-D60YdyJM.js","/assets/add-to-list-BWxchChD.js","/assets/history-dialog-BQFwXjbV.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-BLl6XBaf.js","/assets/record-page-wrZallYD.js","/assets/record-page-BAFoQb4v.css","/assets/list-menu-DoKjB-Tv.js","/assets/list-page-CpPRBS-s.js","/assets/list-page-COwTjPrt.css","/assets/new-record-DrkxuE5-.js","/assets/trash-page-DBa_jI6h.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-Cy_zNJRc.js","/assets/accounts-page-txea7A_k.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-DVzAWPai.js","/assets/audit-page-DMMTa9Cg.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-BtFKsyKl.js","/assets/organization-page-B0djxHCX.js","/assets/people-page-CVp_oitE.js","/assets/roles-page-DfEflQSG.js","/assets/settings-page-C40-CcuX.js","/assets/tokens-page-DvnxBn3L.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-Da2e482w.js","/assets/due-popover-Dd9txRpC.js","/assets/person-picker-bVfOBhP-.js","/assets/record-picker-CW36DKMq.js","/assets/tasks-page-CkkxM81c.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-PGHRJ8CY.js"]};
  const { pathname, search } = location;
  const link = (rel, href, as) => {
    const element = document.createElement('link');
    Object.assign(element, { rel, href, ...(as && { as }), ...(rel === 'modulepreload' && { crossOrigin: '' }) });
    return document.head.appendChild(element);
  };
  const user = document.querySelector('meta[name=made-for]')?.content;
  const asked = new Map();
  const remembered = () => {
    try {
      const { user: last, byAddress } = JSON.parse(localStorage.getItem('kith-ahead') ?? '{}');
      const paths = new Map(last === user ? byAddress : []);
      return (search === '' && paths.get(pathname)) || (paths.get('') ?? []);
    } catch {
      return [];
    }
  };
  for (const path of remembered()) {
    const headers = { 'time-zone': Intl.DateTimeFormat().resolvedOptions().timeZone, 'made-for': user };
    const answer = fetch(path, { headers, redirect: 'error' });
    // Whoever takes it is told; nobody has to.
    answer.catch(() => undefined);
    asked.set(path, answer);
  }
  for (const [pattern, files] of pages) {
    if (!new RegExp(`^${pattern}$`).test(pathname)) continue;
    for (const file of files) {
      if (file.endsWith('.css')) link('preload', file, 'style');
      else link('modulepreload', file);
    }
    break;
  }

  globalThis.kithAhead = {
    asked,
    /** Has the browser keep the files of all other pages, a few at a time, so that they are there when the service is away; called again, it goes on. */
    keepOthers() {
      const next = () => {
        const file = others.shift();
        if (!file) return;
        const kept = link('prefetch', file);
        kept.addEventListener('load', next);
        kept.addEventListener('error', () => {
          kept.remove();
          others.push(file);
        });
      };
      for (let lanes = 0; lanes < 2; lanes++) next();
    },
  };
})();
