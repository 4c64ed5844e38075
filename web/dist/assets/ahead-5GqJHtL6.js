// Runs before everything else of the page: what the page is going to need is asked for while its modules are on their way.
// The build puts this in place of `built`: which files each page is made of, and all others.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/home",["/assets/home-page-Btl4mCXg.js","/assets/home-page-hWBGi7Bw.css","/assets/whole-days-BDrm2crc.js","/assets/meeting-data-Bi1shSW4.js","/assets/notification-row-C40YhFBJ.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CrAEeX-N.js","/assets/use-open-record-DWpyI1Aj.js","/assets/in-sentence-G8KTgafj.js","/assets/record-name-DTv6c8sB.js","/assets/task-row-DM1xZdhT.js","/assets/use-task-writes-DZ4VCFei.js","/assets/use-task-writes-ByjeI2No.css"]],["/r/[^/]+",["/assets/list-page-CCiRNX4j.js","/assets/list-page-CCPFGo5y.css","/assets/no-access-BYWDbWEN.js","/assets/shown-meanwhile-9rVVGfmp.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-CrAEeX-N.js","/assets/value-editor-bCKNGpvY.js","/assets/value-editor--hc1I7dR.css","/assets/value-Cedbdv2L.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/words-ziKoGYil.js","/assets/direction-COdUsXGH.js","/assets/row-height-OLD2B6ZW.js"]],["/r/[^/]+/trash",["/assets/trash-page-5RnTvo_g.js","/assets/trash-page-BCfhwtIE.css","/assets/no-access-BYWDbWEN.js"]],["/r/[^/]+/[^/]+",["/assets/record-page-DxaiKxsv.js","/assets/record-page-BAFoQb4v.css","/assets/shown-meanwhile-9rVVGfmp.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-CrAEeX-N.js","/assets/value-editor-bCKNGpvY.js","/assets/value-editor--hc1I7dR.css","/assets/value-Cedbdv2L.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/direction-COdUsXGH.js","/assets/in-sentence-G8KTgafj.js"]],["/inbox(/[^/]+)?",["/assets/inbox-page-B9acU5am.js","/assets/reply-form-04JnJEE1.js","/assets/reply-form-1RSUgmi1.css","/assets/icons-CrAEeX-N.js","/assets/esm-D01SDpyJ.js","/assets/record-name-DTv6c8sB.js","/assets/task-composer-BjQRS9pu.js","/assets/use-task-writes-DZ4VCFei.js","/assets/use-task-writes-ByjeI2No.css","/assets/whole-days-BDrm2crc.js"]],["/tasks",["/assets/tasks-page-zecfKGTv.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-CrAEeX-N.js","/assets/no-access-BYWDbWEN.js","/assets/task-composer-BjQRS9pu.js","/assets/use-task-writes-DZ4VCFei.js","/assets/use-task-writes-ByjeI2No.css","/assets/whole-days-BDrm2crc.js","/assets/esm-D01SDpyJ.js","/assets/task-row-DM1xZdhT.js"]],["/calendar",["/assets/calendar-page-C3mOpqfA.js","/assets/calendar-page-BmEPmmAg.css","/assets/direction-COdUsXGH.js","/assets/whole-days-BDrm2crc.js","/assets/meeting-data-Bi1shSW4.js"]],["/notifications",["/assets/notifications-page-DCGfuvJq.js","/assets/esm-D01SDpyJ.js","/assets/notification-row-C40YhFBJ.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CrAEeX-N.js","/assets/use-open-record-DWpyI1Aj.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards",["/assets/dashboards-page-WH726pGu.js","/assets/new-by-name-rqlzZR4S.js","/assets/use-dashboards-TATX6gj8.js","/assets/use-dashboards-Cslc0bD7.css"]],["/dashboards/[^/]+",["/assets/dashboard-page-Bfe4iFvT.js","/assets/icons-CrAEeX-N.js","/assets/use-dashboards-TATX6gj8.js","/assets/use-dashboards-Cslc0bD7.css","/assets/value-text-BI4Mz9QU.js"]],["/lists",["/assets/lists-page-C6jDNrP_.js","/assets/new-by-name-rqlzZR4S.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/lists/[^/]+",["/assets/list-entries-page-Cm3SkjHu.js","/assets/icons-CrAEeX-N.js","/assets/record-name-DTv6c8sB.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-bCKNGpvY.js","/assets/value-editor--hc1I7dR.css","/assets/value-Cedbdv2L.js","/assets/value-Dge1Pjxo.css"]],["/duplicates(/[^/]+)?",["/assets/duplicates-page-VpsfQeOU.js","/assets/duplicates-page-DC9tv7yS.css","/assets/record-name-DTv6c8sB.js","/assets/icons-CrAEeX-N.js","/assets/value-Cedbdv2L.js","/assets/value-Dge1Pjxo.css"]],["/agents(/[^/]+)?",["/assets/agents-page-Dwzy_fbA.js","/assets/agents-page-Cy4n7DKx.css","/assets/icons-CrAEeX-N.js","/assets/value-text-BI4Mz9QU.js"]],["/import",["/assets/imports-page-TqG_psoA.js","/assets/read-file-BmORsqIn.js","/assets/read-file-B2JhgdFG.css"]],["/import/[^/]+",["/assets/import-page-Df1om_42.js","/assets/icons-CrAEeX-N.js","/assets/read-file-BmORsqIn.js","/assets/read-file-B2JhgdFG.css","/assets/value-text-BI4Mz9QU.js","/assets/save-file-Ditcmzjl.js"]],["/settings(/[^/]+)?",["/assets/settings-page-OqgvxW0P.js","/assets/icons-CrAEeX-N.js","/assets/pages-DHm-oQET.js","/assets/settings.module-Bq_xyMOC.js","/assets/settings-Dv6M3SZR.css"]]],"others":["/assets/code-block-DzccD9DO.js","/assets/code-block-FkKBZDUO.css","/assets/direction-COdUsXGH.js","/assets/esm-D01SDpyJ.js","/assets/field-form-BjsJGQ3-.js","/assets/field-form-WDBlqgMW.css","/assets/icons-CrAEeX-N.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-DIdcqZHu.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-DWfIstN3.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-Bi1shSW4.js","/assets/menu-BeElnPb7.css","/assets/menu-a_5XWDVj.js","/assets/new-by-name-rqlzZR4S.js","/assets/no-access-BYWDbWEN.js","/assets/notification-row-C40YhFBJ.js","/assets/notification-row-CFO-YrFB.css","/assets/pages-DHm-oQET.js","/assets/people-data-CCw98PYZ.js","/assets/read-file-B2JhgdFG.css","/assets/read-file-BmORsqIn.js","/assets/read-only-CS3Gc-Bd.js","/assets/record-name-DTv6c8sB.js","/assets/reply-form-04JnJEE1.js","/assets/reply-form-1RSUgmi1.css","/assets/row-height-OLD2B6ZW.js","/assets/save-file-Ditcmzjl.js","/assets/setting-C81bIire.js","/assets/setting-list-DKKyh8cW.js","/assets/setting-table-CNKO11PK.js","/assets/setting-texts-CTkS39re.js","/assets/settings-Dv6M3SZR.css","/assets/settings.module-Bq_xyMOC.js","/assets/shown-meanwhile-9rVVGfmp.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/task-composer-BjQRS9pu.js","/assets/task-row-DM1xZdhT.js","/assets/use-dashboards-Cslc0bD7.css","/assets/use-dashboards-TATX6gj8.js","/assets/use-open-record-DWpyI1Aj.js","/assets/use-task-writes-ByjeI2No.css","/assets/use-task-writes-DZ4VCFei.js","/assets/value-Cedbdv2L.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-bCKNGpvY.js","/assets/value-text-BI4Mz9QU.js","/assets/whole-days-BDrm2crc.js","/assets/words-ziKoGYil.js","/assets/agents-page-Dwzy_fbA.js","/assets/agents-page-Cy4n7DKx.css","/assets/assistant-Cxn8OQiJ.js","/assets/going-nfLfu1ue.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-CxQBUqFt.js","/assets/palette-C9OzcY0Y.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-DgfS1b1N.js","/assets/board-DJ6r13vU.js","/assets/board-C-iKLePh.css","/assets/calendar-page-C3mOpqfA.js","/assets/calendar-page-BmEPmmAg.css","/assets/dashboard-page-Bfe4iFvT.js","/assets/dashboards-page-WH726pGu.js","/assets/delete-dashboard-D0kbLFOS.js","/assets/new-chart-B54ryh9M.js","/assets/duplicates-page-VpsfQeOU.js","/assets/duplicates-page-DC9tv7yS.css","/assets/home-page-Btl4mCXg.js","/assets/home-page-hWBGi7Bw.css","/assets/german-BVe9Gi3_.js","/assets/import-page-Df1om_42.js","/assets/imports-page-TqG_psoA.js","/assets/inbox-page-B9acU5am.js","/assets/new-mail-Cxpk0yU4.js","/assets/thread-marks-Yrylp30q.js","/assets/list-entries-page-Cm3SkjHu.js","/assets/lists-page-C6jDNrP_.js","/assets/notifications-page-DCGfuvJq.js","/assets/add-related-B1Rw9lvk.js","/assets/add-to-list-Q3x3df2b.js","/assets/history-dialog-UN-H6WHN.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-BfEBQWiP.js","/assets/record-page-DxaiKxsv.js","/assets/record-page-BAFoQb4v.css","/assets/list-menu-0YLKEDT6.js","/assets/list-page-CCiRNX4j.js","/assets/list-page-CCPFGo5y.css","/assets/new-record-BeEqVsIh.js","/assets/trash-page-5RnTvo_g.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-CeDjbyJ7.js","/assets/accounts-page-C3oTM_R9.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-B6mFJF1l.js","/assets/audit-page-CX1ayuZN.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-CxbBoETQ.js","/assets/organization-page-BRmnT1aI.js","/assets/people-page-BSdC53pv.js","/assets/roles-page-BuS28S14.js","/assets/settings-page-OqgvxW0P.js","/assets/tokens-page-xca8qHf8.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-DOuUOv0W.js","/assets/due-popover-CKvMfeZF.js","/assets/person-picker-BiITsu94.js","/assets/record-picker-CkLazD4q.js","/assets/tasks-page-zecfKGTv.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-PGHRJ8CY.js"]};
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
