// Runs before everything else of the page: what the page is going to need is asked for while its modules are on their way.
// The build puts this in place of `built`: which files each page is made of, and all others.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/home",["/assets/home-page-NNEeS2cM.js","/assets/home-page-hWBGi7Bw.css","/assets/whole-days-BDrm2crc.js","/assets/meeting-data-Bi1shSW4.js","/assets/notification-row-wPoT_z65.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CrAEeX-N.js","/assets/use-open-record-BJfTrJTl.js","/assets/in-sentence-G8KTgafj.js","/assets/record-name-DTv6c8sB.js","/assets/task-row-DAN5WjDv.js","/assets/use-task-writes-C3uevUxc.js","/assets/use-task-writes-ByjeI2No.css"]],["/r/[^/]+",["/assets/list-page-C2kbZI5U.js","/assets/list-page-CCPFGo5y.css","/assets/no-access-WoaTpUzB.js","/assets/shown-meanwhile-xOFlGbZ-.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-CrAEeX-N.js","/assets/value-editor-DWIHrrj1.js","/assets/value-editor--hc1I7dR.css","/assets/value-C9wOx7o-.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/words-CtxRXn_o.js","/assets/direction-COdUsXGH.js","/assets/row-height-OLD2B6ZW.js"]],["/r/[^/]+/trash",["/assets/trash-page-BkzM6ClQ.js","/assets/trash-page-BCfhwtIE.css","/assets/no-access-WoaTpUzB.js"]],["/r/[^/]+/[^/]+",["/assets/record-page-CfLkhL0b.js","/assets/record-page-BAFoQb4v.css","/assets/shown-meanwhile-xOFlGbZ-.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-CrAEeX-N.js","/assets/value-editor-DWIHrrj1.js","/assets/value-editor--hc1I7dR.css","/assets/value-C9wOx7o-.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/direction-COdUsXGH.js","/assets/in-sentence-G8KTgafj.js"]],["/inbox(/[^/]+)?",["/assets/inbox-page-B_PQXKWk.js","/assets/reply-form-C3GwptyO.js","/assets/reply-form-1RSUgmi1.css","/assets/icons-CrAEeX-N.js","/assets/esm-D01SDpyJ.js","/assets/record-name-DTv6c8sB.js","/assets/task-composer-Dp2_0UdA.js","/assets/use-task-writes-C3uevUxc.js","/assets/use-task-writes-ByjeI2No.css","/assets/whole-days-BDrm2crc.js"]],["/tasks",["/assets/tasks-page-BxwLMfIj.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-CrAEeX-N.js","/assets/no-access-WoaTpUzB.js","/assets/task-composer-Dp2_0UdA.js","/assets/use-task-writes-C3uevUxc.js","/assets/use-task-writes-ByjeI2No.css","/assets/whole-days-BDrm2crc.js","/assets/esm-D01SDpyJ.js","/assets/task-row-DAN5WjDv.js"]],["/calendar",["/assets/calendar-page-B2RAycTt.js","/assets/calendar-page-BmEPmmAg.css","/assets/direction-COdUsXGH.js","/assets/whole-days-BDrm2crc.js","/assets/meeting-data-Bi1shSW4.js"]],["/notifications",["/assets/notifications-page-DCyF6R5u.js","/assets/esm-D01SDpyJ.js","/assets/notification-row-wPoT_z65.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CrAEeX-N.js","/assets/use-open-record-BJfTrJTl.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards",["/assets/dashboards-page-Dxh90Bzb.js","/assets/new-by-name-BYwOAxRh.js","/assets/use-dashboards-TATX6gj8.js","/assets/use-dashboards-Cslc0bD7.css"]],["/dashboards/[^/]+",["/assets/dashboard-page-Ds4j5LR9.js","/assets/icons-CrAEeX-N.js","/assets/use-dashboards-TATX6gj8.js","/assets/use-dashboards-Cslc0bD7.css","/assets/value-text-BI4Mz9QU.js"]],["/lists",["/assets/lists-page-BcwIlaJ2.js","/assets/new-by-name-BYwOAxRh.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/lists/[^/]+",["/assets/list-entries-page-ByQHb5pR.js","/assets/icons-CrAEeX-N.js","/assets/record-name-DTv6c8sB.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-DWIHrrj1.js","/assets/value-editor--hc1I7dR.css","/assets/value-C9wOx7o-.js","/assets/value-Dge1Pjxo.css"]],["/duplicates(/[^/]+)?",["/assets/duplicates-page-pl3nnYKO.js","/assets/duplicates-page-DC9tv7yS.css","/assets/record-name-DTv6c8sB.js","/assets/icons-CrAEeX-N.js","/assets/value-C9wOx7o-.js","/assets/value-Dge1Pjxo.css"]],["/agents(/[^/]+)?",["/assets/agents-page-Crl2J0n_.js","/assets/agents-page-Cy4n7DKx.css","/assets/icons-CrAEeX-N.js","/assets/value-text-BI4Mz9QU.js"]],["/import",["/assets/imports-page-Dms7s2KR.js","/assets/read-file-BmORsqIn.js","/assets/read-file-B2JhgdFG.css"]],["/import/[^/]+",["/assets/import-page-BtxxcuW0.js","/assets/icons-CrAEeX-N.js","/assets/read-file-BmORsqIn.js","/assets/read-file-B2JhgdFG.css","/assets/value-text-BI4Mz9QU.js","/assets/save-file-Ditcmzjl.js"]],["/settings(/[^/]+)?",["/assets/settings-page-BS2ocHVy.js","/assets/icons-CrAEeX-N.js","/assets/pages-DHm-oQET.js","/assets/settings.module-Bq_xyMOC.js","/assets/settings-Dv6M3SZR.css"]]],"others":["/assets/code-block-Dc12eN_i.js","/assets/code-block-FkKBZDUO.css","/assets/direction-COdUsXGH.js","/assets/esm-D01SDpyJ.js","/assets/field-form-CXeFZ6df.js","/assets/field-form-WDBlqgMW.css","/assets/icons-CrAEeX-N.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-Dc6ZE7uZ.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-B_wUpCx1.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-Bi1shSW4.js","/assets/menu-BeElnPb7.css","/assets/menu-a_5XWDVj.js","/assets/new-by-name-BYwOAxRh.js","/assets/no-access-WoaTpUzB.js","/assets/notification-row-CFO-YrFB.css","/assets/notification-row-wPoT_z65.js","/assets/pages-DHm-oQET.js","/assets/people-data-CCw98PYZ.js","/assets/read-file-B2JhgdFG.css","/assets/read-file-BmORsqIn.js","/assets/read-only-CS3Gc-Bd.js","/assets/record-name-DTv6c8sB.js","/assets/reply-form-1RSUgmi1.css","/assets/reply-form-C3GwptyO.js","/assets/row-height-OLD2B6ZW.js","/assets/save-file-Ditcmzjl.js","/assets/setting-C81bIire.js","/assets/setting-list-DZgjU9Q5.js","/assets/setting-table-CNKO11PK.js","/assets/setting-texts-CTkS39re.js","/assets/settings-Dv6M3SZR.css","/assets/settings.module-Bq_xyMOC.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/shown-meanwhile-xOFlGbZ-.js","/assets/task-composer-Dp2_0UdA.js","/assets/task-row-DAN5WjDv.js","/assets/use-dashboards-Cslc0bD7.css","/assets/use-dashboards-TATX6gj8.js","/assets/use-open-record-BJfTrJTl.js","/assets/use-task-writes-ByjeI2No.css","/assets/use-task-writes-C3uevUxc.js","/assets/value-C9wOx7o-.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-DWIHrrj1.js","/assets/value-text-BI4Mz9QU.js","/assets/whole-days-BDrm2crc.js","/assets/words-CtxRXn_o.js","/assets/agents-page-Crl2J0n_.js","/assets/agents-page-Cy4n7DKx.css","/assets/assistant-R__IgT65.js","/assets/going-trUuSAWp.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-Dyqtitb8.js","/assets/palette-CtTKuBGW.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-DZ-eNjgD.js","/assets/board-BleFBHOz.js","/assets/board-C-iKLePh.css","/assets/calendar-page-B2RAycTt.js","/assets/calendar-page-BmEPmmAg.css","/assets/dashboard-page-Ds4j5LR9.js","/assets/dashboards-page-Dxh90Bzb.js","/assets/delete-dashboard-D0kbLFOS.js","/assets/new-chart-HVPKzHw6.js","/assets/duplicates-page-pl3nnYKO.js","/assets/duplicates-page-DC9tv7yS.css","/assets/home-page-NNEeS2cM.js","/assets/home-page-hWBGi7Bw.css","/assets/german-BVe9Gi3_.js","/assets/import-page-BtxxcuW0.js","/assets/imports-page-Dms7s2KR.js","/assets/inbox-page-B_PQXKWk.js","/assets/new-mail-T7rQpN0w.js","/assets/thread-marks-BdlmtS7W.js","/assets/list-entries-page-ByQHb5pR.js","/assets/lists-page-BcwIlaJ2.js","/assets/notifications-page-DCyF6R5u.js","/assets/add-related-BoWtIYSp.js","/assets/add-to-list-BZ9kz8Ql.js","/assets/history-dialog-DVgefF-o.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-CX3Wfepg.js","/assets/record-page-CfLkhL0b.js","/assets/record-page-BAFoQb4v.css","/assets/list-menu-B1_7V4sN.js","/assets/list-page-C2kbZI5U.js","/assets/list-page-CCPFGo5y.css","/assets/new-record-C8c48q9D.js","/assets/trash-page-BkzM6ClQ.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-CZjPDh8u.js","/assets/accounts-page-CgAEuI0l.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-hIx4RnNb.js","/assets/audit-page-DCSgv9pN.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-DyhB5861.js","/assets/organization-page-nR5VINg-.js","/assets/people-page-DnfbKkP_.js","/assets/roles-page-bzI1X8JH.js","/assets/settings-page-BS2ocHVy.js","/assets/tokens-page-QU2Dl35z.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-C_LpkOSq.js","/assets/due-popover-B5yYiBSK.js","/assets/person-picker-Hj267cK5.js","/assets/record-picker-CKrAswWO.js","/assets/tasks-page-BxwLMfIj.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-PGHRJ8CY.js"]};
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
