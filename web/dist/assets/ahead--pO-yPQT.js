// Runs before everything else of the page: what the page is going to need is asked for while its modules are on their way.
// The build puts this in place of `built`: which files each page is made of, and all others.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/home",["/assets/home-page-BGF2CwWF.js","/assets/home-page-hWBGi7Bw.css","/assets/whole-days-BDrm2crc.js","/assets/meeting-data-D1AvINMc.js","/assets/notification-row-xOkdqqJB.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-je3fIktR.js","/assets/use-open-record-CogwxbwH.js","/assets/in-sentence-G8KTgafj.js","/assets/record-name-DTv6c8sB.js","/assets/task-row-BwQsBq7v.js","/assets/use-task-writes-O1Jwq9Qj.js","/assets/use-task-writes-ByjeI2No.css"]],["/r/[^/]+",["/assets/list-page-DKhibLL3.js","/assets/list-page-COwTjPrt.css","/assets/no-access-D0Ibyryf.js","/assets/shown-meanwhile-CtKCutiY.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-je3fIktR.js","/assets/value-editor-BKvtwmtB.js","/assets/value-editor--hc1I7dR.css","/assets/value-SgK0qRAM.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/words-BAQxeOEw.js","/assets/direction-COdUsXGH.js","/assets/row-height-CHtenS8A.js"]],["/r/[^/]+/trash",["/assets/trash-page-D5zFFClb.js","/assets/trash-page-BCfhwtIE.css","/assets/no-access-D0Ibyryf.js"]],["/r/[^/]+/[^/]+",["/assets/record-page-DjUDOrPf.js","/assets/record-page-BAFoQb4v.css","/assets/shown-meanwhile-CtKCutiY.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-je3fIktR.js","/assets/value-editor-BKvtwmtB.js","/assets/value-editor--hc1I7dR.css","/assets/value-SgK0qRAM.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/direction-COdUsXGH.js","/assets/in-sentence-G8KTgafj.js"]],["/inbox(/[^/]+)?",["/assets/inbox-page-B8g4IwcF.js","/assets/reply-form-f3fKRdAp.js","/assets/reply-form-1RSUgmi1.css","/assets/icons-je3fIktR.js","/assets/esm-D01SDpyJ.js","/assets/record-name-DTv6c8sB.js","/assets/task-composer-DhgxUjHQ.js","/assets/use-task-writes-O1Jwq9Qj.js","/assets/use-task-writes-ByjeI2No.css","/assets/whole-days-BDrm2crc.js"]],["/tasks",["/assets/tasks-page-QYL7LhVR.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-je3fIktR.js","/assets/no-access-D0Ibyryf.js","/assets/task-composer-DhgxUjHQ.js","/assets/use-task-writes-O1Jwq9Qj.js","/assets/use-task-writes-ByjeI2No.css","/assets/whole-days-BDrm2crc.js","/assets/esm-D01SDpyJ.js","/assets/task-row-BwQsBq7v.js"]],["/calendar",["/assets/calendar-page-HHiXL7zU.js","/assets/calendar-page-BmEPmmAg.css","/assets/direction-COdUsXGH.js","/assets/whole-days-BDrm2crc.js","/assets/meeting-data-D1AvINMc.js"]],["/notifications",["/assets/notifications-page-C_hjNY9D.js","/assets/esm-D01SDpyJ.js","/assets/notification-row-xOkdqqJB.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-je3fIktR.js","/assets/use-open-record-CogwxbwH.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards",["/assets/dashboards-page-Dr8-9PPD.js","/assets/new-by-name-Bd8fWCsO.js","/assets/use-dashboards-BudvF_GJ.js","/assets/use-dashboards-Cslc0bD7.css"]],["/dashboards/[^/]+",["/assets/dashboard-page-CxG4YSRw.js","/assets/icons-je3fIktR.js","/assets/use-dashboards-BudvF_GJ.js","/assets/use-dashboards-Cslc0bD7.css","/assets/value-text-D70lru1L.js"]],["/lists",["/assets/lists-page-umOVS-iS.js","/assets/new-by-name-Bd8fWCsO.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/lists/[^/]+",["/assets/list-entries-page-DAgB8IDE.js","/assets/icons-je3fIktR.js","/assets/record-name-DTv6c8sB.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-BKvtwmtB.js","/assets/value-editor--hc1I7dR.css","/assets/value-SgK0qRAM.js","/assets/value-Dge1Pjxo.css"]],["/duplicates(/[^/]+)?",["/assets/duplicates-page-DJXJZeB7.js","/assets/duplicates-page-DC9tv7yS.css","/assets/record-name-DTv6c8sB.js","/assets/icons-je3fIktR.js","/assets/value-SgK0qRAM.js","/assets/value-Dge1Pjxo.css"]],["/agents(/[^/]+)?",["/assets/agents-page-B3JrTPUE.js","/assets/agents-page-Cy4n7DKx.css","/assets/icons-je3fIktR.js","/assets/value-text-D70lru1L.js"]],["/import",["/assets/imports-page-BGXm6HcF.js","/assets/read-file-DooRQeZu.js","/assets/read-file-B2JhgdFG.css"]],["/import/[^/]+",["/assets/import-page-CoM-Rgz9.js","/assets/icons-je3fIktR.js","/assets/read-file-DooRQeZu.js","/assets/read-file-B2JhgdFG.css","/assets/value-text-D70lru1L.js","/assets/save-file-Ditcmzjl.js"]],["/settings(/[^/]+)?",["/assets/settings-page-_y1fMqzZ.js","/assets/icons-je3fIktR.js","/assets/pages-DHm-oQET.js","/assets/settings.module-Bq_xyMOC.js","/assets/settings-Dv6M3SZR.css"]]],"others":["/assets/code-block-D_OlFnc_.js","/assets/code-block-FkKBZDUO.css","/assets/direction-COdUsXGH.js","/assets/esm-D01SDpyJ.js","/assets/field-form-CgjD8cgb.js","/assets/field-form-WDBlqgMW.css","/assets/icons-je3fIktR.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-TVeLsvMV.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-CYi3xm-k.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-D1AvINMc.js","/assets/menu-BeElnPb7.css","/assets/menu-XAC1AbH5.js","/assets/new-by-name-Bd8fWCsO.js","/assets/no-access-D0Ibyryf.js","/assets/notification-row-CFO-YrFB.css","/assets/notification-row-xOkdqqJB.js","/assets/pages-DHm-oQET.js","/assets/people-data-DUMyixef.js","/assets/read-file-B2JhgdFG.css","/assets/read-file-DooRQeZu.js","/assets/read-only-CkxDVpbh.js","/assets/record-name-DTv6c8sB.js","/assets/reply-form-1RSUgmi1.css","/assets/reply-form-f3fKRdAp.js","/assets/row-height-CHtenS8A.js","/assets/save-file-Ditcmzjl.js","/assets/setting-list-DjLlnLT-.js","/assets/setting-table-DdnEbR05.js","/assets/setting-texts-CLZZpBmQ.js","/assets/setting-whbEkMKc.js","/assets/settings-Dv6M3SZR.css","/assets/settings.module-Bq_xyMOC.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/shown-meanwhile-CtKCutiY.js","/assets/task-composer-DhgxUjHQ.js","/assets/task-row-BwQsBq7v.js","/assets/use-dashboards-BudvF_GJ.js","/assets/use-dashboards-Cslc0bD7.css","/assets/use-open-record-CogwxbwH.js","/assets/use-task-writes-ByjeI2No.css","/assets/use-task-writes-O1Jwq9Qj.js","/assets/value-Dge1Pjxo.css","/assets/value-SgK0qRAM.js","/assets/value-editor--hc1I7dR.css","/assets/value-editor-BKvtwmtB.js","/assets/value-text-D70lru1L.js","/assets/whole-days-BDrm2crc.js","/assets/words-BAQxeOEw.js","/assets/agents-page-B3JrTPUE.js","/assets/agents-page-Cy4n7DKx.css","/assets/assistant-9dLCtcjK.js","/assets/going-BXLXJCYo.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-CYNUlYRs.js","/assets/palette-CwQHiVSQ.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-CkVPIkeU.js","/assets/board-Dcdj_cEm.js","/assets/board-C-iKLePh.css","/assets/calendar-page-HHiXL7zU.js","/assets/calendar-page-BmEPmmAg.css","/assets/dashboard-page-CxG4YSRw.js","/assets/dashboards-page-Dr8-9PPD.js","/assets/delete-dashboard-_ymXZHkG.js","/assets/new-chart-C4uR7UmF.js","/assets/duplicates-page-DJXJZeB7.js","/assets/duplicates-page-DC9tv7yS.css","/assets/home-page-BGF2CwWF.js","/assets/home-page-hWBGi7Bw.css","/assets/german-CHzhnXSe.js","/assets/import-page-CoM-Rgz9.js","/assets/imports-page-BGXm6HcF.js","/assets/inbox-page-B8g4IwcF.js","/assets/new-mail-kyptSCA-.js","/assets/thread-marks-eukVnRYc.js","/assets/list-entries-page-DAgB8IDE.js","/assets/lists-page-umOVS-iS.js","/assets/notifications-page-C_hjNY9D.js","/assets/add-related-RFwhoUsg.js","/assets/add-to-list-CGY-KINb.js","/assets/history-dialog-DSYrzwIk.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-Bku693_0.js","/assets/record-page-DjUDOrPf.js","/assets/record-page-BAFoQb4v.css","/assets/list-menu-CamPZDMU.js","/assets/list-page-DKhibLL3.js","/assets/list-page-COwTjPrt.css","/assets/new-record-BkZ5aAvX.js","/assets/trash-page-D5zFFClb.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-BFSplQxk.js","/assets/accounts-page-BRckprTJ.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-B8JRLG0O.js","/assets/audit-page-CFoz4Frh.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-BFB_odbi.js","/assets/organization-page-CbeSAMbP.js","/assets/people-page-DUxEcFSw.js","/assets/roles-page-4aervAiG.js","/assets/settings-page-_y1fMqzZ.js","/assets/tokens-page-CX85CEqh.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-D-SgB4Kw.js","/assets/due-popover-DdGpqZHv.js","/assets/person-picker-BT86Noqe.js","/assets/record-picker-UXrR8F0H.js","/assets/tasks-page-QYL7LhVR.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-C1AXMM2j.js"]};
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
