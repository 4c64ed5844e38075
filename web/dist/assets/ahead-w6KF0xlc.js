// Runs before everything else of the page: what the page is going to need is asked for while its modules are on their way.
// The build puts this in place of `built`: which files each page is made of, and all others.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-Dzl5RYzC.js","/assets/trash-page-BCfhwtIE.css","/assets/no-access-NSiv9XIN.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-BnhyIgh1.js","/assets/record-page-CSFS_PFY.css","/assets/shown-meanwhile-DnZ0xDxp.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-Dv20-Ett.js","/assets/value-editor-CbaoyYjx.js","/assets/value-editor--hc1I7dR.css","/assets/value-L3T55r7T.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/direction-COdUsXGH.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-Dm2ou9dn.js","/assets/list-page-COwTjPrt.css","/assets/no-access-NSiv9XIN.js","/assets/shown-meanwhile-DnZ0xDxp.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-Dv20-Ett.js","/assets/value-editor-CbaoyYjx.js","/assets/value-editor--hc1I7dR.css","/assets/value-L3T55r7T.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/words-Cp4GYBVQ.js","/assets/direction-COdUsXGH.js","/assets/row-height-DruiN4wx.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-DLVKmS8-.js","/assets/icons-Dv20-Ett.js","/assets/use-dashboards-BgInIWOA.js","/assets/use-dashboards-Cslc0bD7.css","/assets/value-text-XTqCaX1_.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-DubLcJXm.js","/assets/icons-Dv20-Ett.js","/assets/record-name-DTv6c8sB.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-CbaoyYjx.js","/assets/value-editor--hc1I7dR.css","/assets/value-L3T55r7T.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-DDoryx5u.js","/assets/icons-Dv20-Ett.js","/assets/read-file-YGm-YnGA.js","/assets/read-file-BWCZv4r1.css","/assets/value-text-XTqCaX1_.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-BuMrjD7B.js","/assets/home-page--3CczgM1.css","/assets/use-task-writes-Dg44hEVU.js","/assets/use-task-writes-ByjeI2No.css","/assets/meeting-data-BovuBglk.js","/assets/notification-row-B6Lm4ng_.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-Dv20-Ett.js","/assets/use-open-record-7RZZciAs.js","/assets/in-sentence-G8KTgafj.js","/assets/record-name-DTv6c8sB.js","/assets/task-row-BFftm3xK.js"]],["/inbox(/.*)?",["/assets/inbox-page-DdkP5jOl.js","/assets/reply-form-Bs6pF4bh.js","/assets/reply-form-CovtpZk1.css","/assets/icons-Dv20-Ett.js","/assets/use-more-at-end-DjHHI77k.js","/assets/record-name-DTv6c8sB.js","/assets/task-composer-CgaEd85k.js","/assets/use-task-writes-Dg44hEVU.js","/assets/use-task-writes-ByjeI2No.css"]],["/tasks(/.*)?",["/assets/tasks-page-BtK1fLH-.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-Dv20-Ett.js","/assets/no-access-NSiv9XIN.js","/assets/task-composer-CgaEd85k.js","/assets/use-task-writes-Dg44hEVU.js","/assets/use-task-writes-ByjeI2No.css","/assets/use-more-at-end-DjHHI77k.js","/assets/task-row-BFftm3xK.js"]],["/calendar(/.*)?",["/assets/calendar-page-CnP0Bl0n.js","/assets/calendar-page-sRRbaa6Q.css","/assets/use-task-writes-Dg44hEVU.js","/assets/use-task-writes-ByjeI2No.css","/assets/meeting-data-BovuBglk.js","/assets/icons-Dv20-Ett.js","/assets/task-composer-CgaEd85k.js","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-CQUj2njA.js","/assets/use-more-at-end-DjHHI77k.js","/assets/notification-row-B6Lm4ng_.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-Dv20-Ett.js","/assets/use-open-record-7RZZciAs.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-R8tOHwvi.js","/assets/new-by-name-5knYEWoe.js","/assets/use-dashboards-BgInIWOA.js","/assets/use-dashboards-Cslc0bD7.css"]],["/lists(/.*)?",["/assets/lists-page-vKXMGzr8.js","/assets/new-by-name-5knYEWoe.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-BnQD80pP.js","/assets/duplicates-page-DC9tv7yS.css","/assets/record-name-DTv6c8sB.js","/assets/icons-Dv20-Ett.js","/assets/value-L3T55r7T.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-BV5ZuWbS.js","/assets/agents-page-Cy4n7DKx.css","/assets/icons-Dv20-Ett.js","/assets/value-text-XTqCaX1_.js"]],["/import(/.*)?",["/assets/imports-page-BUjwOZEr.js","/assets/read-file-YGm-YnGA.js","/assets/read-file-BWCZv4r1.css"]],["/settings(/.*)?",["/assets/settings-page-CmePpmXL.js","/assets/icons-Dv20-Ett.js","/assets/pages-DHm-oQET.js","/assets/settings.module-Bq_xyMOC.js","/assets/settings-Dv6M3SZR.css"]]],"others":["/assets/code-block-FkKBZDUO.css","/assets/code-block-d2QeLgQm.js","/assets/direction-COdUsXGH.js","/assets/field-form-98FSxQIU.js","/assets/field-form-WDBlqgMW.css","/assets/icons-Dv20-Ett.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-DVKkem5z.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-CI-xlaB9.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-BovuBglk.js","/assets/menu-B8RcfTtG.js","/assets/menu-BeElnPb7.css","/assets/new-by-name-5knYEWoe.js","/assets/no-access-NSiv9XIN.js","/assets/notification-row-B6Lm4ng_.js","/assets/notification-row-CFO-YrFB.css","/assets/pages-DHm-oQET.js","/assets/people-data-BkpmKXW6.js","/assets/read-file-BWCZv4r1.css","/assets/read-file-YGm-YnGA.js","/assets/read-only-l0bMC5ZE.js","/assets/record-name-DTv6c8sB.js","/assets/reply-form-Bs6pF4bh.js","/assets/reply-form-CovtpZk1.css","/assets/row-height-DruiN4wx.js","/assets/save-file-Ditcmzjl.js","/assets/setting-ByrY8YW7.js","/assets/setting-list-B0vn7yZ_.js","/assets/setting-table-C7nm8Lgp.js","/assets/setting-texts-CZ4sES6i.js","/assets/settings-Dv6M3SZR.css","/assets/settings.module-Bq_xyMOC.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/shown-meanwhile-DnZ0xDxp.js","/assets/task-composer-CgaEd85k.js","/assets/task-row-BFftm3xK.js","/assets/use-dashboards-BgInIWOA.js","/assets/use-dashboards-Cslc0bD7.css","/assets/use-more-at-end-DjHHI77k.js","/assets/use-open-record-7RZZciAs.js","/assets/use-task-writes-ByjeI2No.css","/assets/use-task-writes-Dg44hEVU.js","/assets/value-Dge1Pjxo.css","/assets/value-L3T55r7T.js","/assets/value-editor--hc1I7dR.css","/assets/value-editor-CbaoyYjx.js","/assets/value-text-XTqCaX1_.js","/assets/words-Cp4GYBVQ.js","/assets/agents-page-BV5ZuWbS.js","/assets/agents-page-Cy4n7DKx.css","/assets/assistant-DMy8JWWL.js","/assets/going-CLrM-7cN.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-2LL82BLK.js","/assets/palette-BT-kN60G.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-B9Pchath.js","/assets/board-BkSrhG2C.js","/assets/board-C-iKLePh.css","/assets/calendar-page-CnP0Bl0n.js","/assets/calendar-page-sRRbaa6Q.css","/assets/dashboard-page-DLVKmS8-.js","/assets/dashboards-page-R8tOHwvi.js","/assets/delete-dashboard-I4LBkD8K.js","/assets/new-chart-BeOveRwM.js","/assets/duplicates-page-BnQD80pP.js","/assets/duplicates-page-DC9tv7yS.css","/assets/home-page-BuMrjD7B.js","/assets/home-page--3CczgM1.css","/assets/german-BXjpfHK2.js","/assets/import-page-DDoryx5u.js","/assets/imports-page-BUjwOZEr.js","/assets/inbox-page-DdkP5jOl.js","/assets/new-mail-6CdKU5Mc.js","/assets/thread-marks-DlEjXSZH.js","/assets/list-entries-page-DubLcJXm.js","/assets/lists-page-vKXMGzr8.js","/assets/notifications-page-CQUj2njA.js","/assets/add-related-Cms8A3_1.js","/assets/add-to-list-BWYLClkf.js","/assets/history-dialog-DVbFckXb.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-CEZJtGAv.js","/assets/record-page-BnhyIgh1.js","/assets/record-page-CSFS_PFY.css","/assets/list-menu-DHzX2UeH.js","/assets/list-page-Dm2ou9dn.js","/assets/list-page-COwTjPrt.css","/assets/new-record-NBM1jZXc.js","/assets/trash-page-Dzl5RYzC.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-CRcqNLk7.js","/assets/accounts-page-biwjJn7I.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-CbWwmQpb.js","/assets/audit-page-1FoYw6rd.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-CjQ7NR9W.js","/assets/organization-page-BT_ooh-w.js","/assets/people-page-CX5wzSch.js","/assets/roles-page-Br-FA6oP.js","/assets/settings-page-CmePpmXL.js","/assets/tokens-page-BQdxGx8h.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-D8OB33Hc.js","/assets/due-popover-BSD6cD5s.js","/assets/person-picker-DVTkhSVl.js","/assets/record-picker-C_gRg-y3.js","/assets/tasks-page-BtK1fLH-.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-BzSrvW2F.js"]};
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
