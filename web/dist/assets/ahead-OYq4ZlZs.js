// Runs before everything else of the page: what the page is going to need is asked for while its modules are on their way.
// The build puts this in place of `built`: which files each page is made of, and all others.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/home",["/assets/home-page-jYM7WJJA.js","/assets/home-page-hWBGi7Bw.css","/assets/whole-days-BDrm2crc.js","/assets/meeting-data-CsQ8h4LK.js","/assets/notification-row-CS3IGnga.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-BYTbZm0r.js","/assets/use-open-record-6Y_iClYl.js","/assets/in-sentence-G8KTgafj.js","/assets/record-name-DTv6c8sB.js","/assets/task-row-BK7jCqW9.js","/assets/use-task-writes-9Fr7A6JY.js","/assets/use-task-writes-ByjeI2No.css"]],["/r/[^/]+",["/assets/list-page-DPbeBKUy.js","/assets/list-page-COwTjPrt.css","/assets/no-access-BYlmA7W2.js","/assets/shown-meanwhile-8OUzUagK.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-BYTbZm0r.js","/assets/value-editor-IlcezZfc.js","/assets/value-editor--hc1I7dR.css","/assets/value-BGRUxOLa.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/words-DkPMWLH6.js","/assets/direction-COdUsXGH.js","/assets/row-height-Bcczg8VI.js"]],["/r/[^/]+/trash",["/assets/trash-page-vv_Rr38f.js","/assets/trash-page-BCfhwtIE.css","/assets/no-access-BYlmA7W2.js"]],["/r/[^/]+/[^/]+",["/assets/record-page-BB4trcM6.js","/assets/record-page-BAFoQb4v.css","/assets/shown-meanwhile-8OUzUagK.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-BYTbZm0r.js","/assets/value-editor-IlcezZfc.js","/assets/value-editor--hc1I7dR.css","/assets/value-BGRUxOLa.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/direction-COdUsXGH.js","/assets/in-sentence-G8KTgafj.js"]],["/inbox(/[^/]+)?",["/assets/inbox-page-C5eM_ibF.js","/assets/reply-form-Bzv1WO-1.js","/assets/reply-form-1RSUgmi1.css","/assets/icons-BYTbZm0r.js","/assets/esm-D01SDpyJ.js","/assets/record-name-DTv6c8sB.js","/assets/task-composer-BeJBpACD.js","/assets/use-task-writes-9Fr7A6JY.js","/assets/use-task-writes-ByjeI2No.css","/assets/whole-days-BDrm2crc.js"]],["/tasks",["/assets/tasks-page-BIPNlqIy.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-BYTbZm0r.js","/assets/no-access-BYlmA7W2.js","/assets/task-composer-BeJBpACD.js","/assets/use-task-writes-9Fr7A6JY.js","/assets/use-task-writes-ByjeI2No.css","/assets/whole-days-BDrm2crc.js","/assets/esm-D01SDpyJ.js","/assets/task-row-BK7jCqW9.js"]],["/calendar",["/assets/calendar-page-Br5-rYEq.js","/assets/calendar-page-BmEPmmAg.css","/assets/direction-COdUsXGH.js","/assets/whole-days-BDrm2crc.js","/assets/meeting-data-CsQ8h4LK.js"]],["/notifications",["/assets/notifications-page-G_diqlUc.js","/assets/esm-D01SDpyJ.js","/assets/notification-row-CS3IGnga.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-BYTbZm0r.js","/assets/use-open-record-6Y_iClYl.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards",["/assets/dashboards-page-Csx_D0UB.js","/assets/new-by-name-wOd4Es7N.js","/assets/use-dashboards-CsYy-rfF.js","/assets/use-dashboards-Cslc0bD7.css"]],["/dashboards/[^/]+",["/assets/dashboard-page-Nl4wVlHM.js","/assets/icons-BYTbZm0r.js","/assets/use-dashboards-CsYy-rfF.js","/assets/use-dashboards-Cslc0bD7.css","/assets/value-text-viQdNGbn.js"]],["/lists",["/assets/lists-page-BYEFPktY.js","/assets/new-by-name-wOd4Es7N.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/lists/[^/]+",["/assets/list-entries-page-DsjOo55T.js","/assets/icons-BYTbZm0r.js","/assets/record-name-DTv6c8sB.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-IlcezZfc.js","/assets/value-editor--hc1I7dR.css","/assets/value-BGRUxOLa.js","/assets/value-Dge1Pjxo.css"]],["/duplicates(/[^/]+)?",["/assets/duplicates-page-B7IYqllk.js","/assets/duplicates-page-DC9tv7yS.css","/assets/record-name-DTv6c8sB.js","/assets/icons-BYTbZm0r.js","/assets/value-BGRUxOLa.js","/assets/value-Dge1Pjxo.css"]],["/agents(/[^/]+)?",["/assets/agents-page-CMAqM0hB.js","/assets/agents-page-Cy4n7DKx.css","/assets/icons-BYTbZm0r.js","/assets/value-text-viQdNGbn.js"]],["/import",["/assets/imports-page-DDDN4yf4.js","/assets/read-file-DtaDMmGK.js","/assets/read-file-B2JhgdFG.css"]],["/import/[^/]+",["/assets/import-page-EKVOCdJj.js","/assets/icons-BYTbZm0r.js","/assets/read-file-DtaDMmGK.js","/assets/read-file-B2JhgdFG.css","/assets/value-text-viQdNGbn.js","/assets/save-file-Ditcmzjl.js"]],["/settings(/[^/]+)?",["/assets/settings-page-BKMe_d5K.js","/assets/icons-BYTbZm0r.js","/assets/pages-DHm-oQET.js","/assets/settings.module-Bq_xyMOC.js","/assets/settings-Dv6M3SZR.css"]]],"others":["/assets/code-block-DAJz1aGZ.js","/assets/code-block-FkKBZDUO.css","/assets/direction-COdUsXGH.js","/assets/esm-D01SDpyJ.js","/assets/field-form-WDBlqgMW.css","/assets/field-form-hHwkoMCS.js","/assets/icons-BYTbZm0r.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-DxZryVJi.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-Sz7ncHNE.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-CsQ8h4LK.js","/assets/menu-BeElnPb7.css","/assets/menu-Y0OJgwlW.js","/assets/new-by-name-wOd4Es7N.js","/assets/no-access-BYlmA7W2.js","/assets/notification-row-CFO-YrFB.css","/assets/notification-row-CS3IGnga.js","/assets/pages-DHm-oQET.js","/assets/people-data-9tFUxdfy.js","/assets/read-file-B2JhgdFG.css","/assets/read-file-DtaDMmGK.js","/assets/read-only-DpSmx7I4.js","/assets/record-name-DTv6c8sB.js","/assets/reply-form-1RSUgmi1.css","/assets/reply-form-Bzv1WO-1.js","/assets/row-height-Bcczg8VI.js","/assets/save-file-Ditcmzjl.js","/assets/setting-DzGEPZ2U.js","/assets/setting-list-CwdTXEbp.js","/assets/setting-table-DUSCSh4X.js","/assets/setting-texts-DgfK2vME.js","/assets/settings-Dv6M3SZR.css","/assets/settings.module-Bq_xyMOC.js","/assets/shown-meanwhile-8OUzUagK.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/task-composer-BeJBpACD.js","/assets/task-row-BK7jCqW9.js","/assets/use-dashboards-CsYy-rfF.js","/assets/use-dashboards-Cslc0bD7.css","/assets/use-open-record-6Y_iClYl.js","/assets/use-task-writes-9Fr7A6JY.js","/assets/use-task-writes-ByjeI2No.css","/assets/value-BGRUxOLa.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-IlcezZfc.js","/assets/value-text-viQdNGbn.js","/assets/whole-days-BDrm2crc.js","/assets/words-DkPMWLH6.js","/assets/agents-page-CMAqM0hB.js","/assets/agents-page-Cy4n7DKx.css","/assets/assistant-2xdkdc7Z.js","/assets/going-DLUU0t9R.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-BgLCmjYQ.js","/assets/palette-CD62v1fa.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-DU0Dgu2H.js","/assets/board-GEl7g7e6.js","/assets/board-C-iKLePh.css","/assets/calendar-page-Br5-rYEq.js","/assets/calendar-page-BmEPmmAg.css","/assets/dashboard-page-Nl4wVlHM.js","/assets/dashboards-page-Csx_D0UB.js","/assets/delete-dashboard-zYfQbYKA.js","/assets/new-chart-DgLAoEQd.js","/assets/duplicates-page-B7IYqllk.js","/assets/duplicates-page-DC9tv7yS.css","/assets/home-page-jYM7WJJA.js","/assets/home-page-hWBGi7Bw.css","/assets/german-B3QK4_2z.js","/assets/import-page-EKVOCdJj.js","/assets/imports-page-DDDN4yf4.js","/assets/inbox-page-C5eM_ibF.js","/assets/new-mail-BMTH5HGF.js","/assets/thread-marks--mMe3M47.js","/assets/list-entries-page-DsjOo55T.js","/assets/lists-page-BYEFPktY.js","/assets/notifications-page-G_diqlUc.js","/assets/add-related-BSrAFbO6.js","/assets/add-to-list-rtSOztIN.js","/assets/history-dialog-M2uvnIW-.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-BOk_9mme.js","/assets/record-page-BB4trcM6.js","/assets/record-page-BAFoQb4v.css","/assets/list-menu-C0i6wpqo.js","/assets/list-page-DPbeBKUy.js","/assets/list-page-COwTjPrt.css","/assets/new-record-BrAUQiop.js","/assets/trash-page-vv_Rr38f.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-6_5AkRA8.js","/assets/accounts-page-Cza6sySO.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-DlB1iDPS.js","/assets/audit-page-ExFyDpwh.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-C7WvZ_0s.js","/assets/organization-page-D0M1P0LU.js","/assets/people-page-7WlsaR6u.js","/assets/roles-page-D550sioO.js","/assets/settings-page-BKMe_d5K.js","/assets/tokens-page-Bb30ordM.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-CJK_uGiX.js","/assets/due-popover-DrFR_SjE.js","/assets/person-picker-Duq_a6Ac.js","/assets/record-picker-BDycca7S.js","/assets/tasks-page-BIPNlqIy.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-B3J7v8re.js"]};
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
