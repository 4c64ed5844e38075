// Runs before everything else of the page: what the page is going to need is asked for while its modules are on their way.
// The build puts this in place of `built`: which files each page is made of, and all others.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-DHepZH-B.js","/assets/trash-page-BCfhwtIE.css","/assets/no-access-IfAKvPcl.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-CMgtfScR.js","/assets/record-page-CSFS_PFY.css","/assets/shown-meanwhile-C-T9mLIB.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-CaaSs2U-.js","/assets/value-editor-DEF8UGJQ.js","/assets/value-editor--hc1I7dR.css","/assets/value-DrX0Y3Yj.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/direction-COdUsXGH.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-D1RyLg61.js","/assets/list-page-COwTjPrt.css","/assets/no-access-IfAKvPcl.js","/assets/shown-meanwhile-C-T9mLIB.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/icons-CaaSs2U-.js","/assets/value-editor-DEF8UGJQ.js","/assets/value-editor--hc1I7dR.css","/assets/value-DrX0Y3Yj.js","/assets/value-Dge1Pjxo.css","/assets/record-name-DTv6c8sB.js","/assets/words-BJmzgYzj.js","/assets/direction-COdUsXGH.js","/assets/row-height-Dpo4--Z4.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-D7TkJM4L.js","/assets/icons-CaaSs2U-.js","/assets/use-dashboards-CVw-M2UK.js","/assets/use-dashboards-Cslc0bD7.css","/assets/value-text-Cl336lPi.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-DHtFfYtf.js","/assets/icons-CaaSs2U-.js","/assets/record-name-DTv6c8sB.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-DEF8UGJQ.js","/assets/value-editor--hc1I7dR.css","/assets/value-DrX0Y3Yj.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-CPKBf9wC.js","/assets/icons-CaaSs2U-.js","/assets/read-file-phQqH_-r.js","/assets/read-file-BWCZv4r1.css","/assets/value-text-Cl336lPi.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-Bn7Xa1xg.js","/assets/home-page--3CczgM1.css","/assets/use-task-writes-C56mS8JE.js","/assets/use-task-writes-ByjeI2No.css","/assets/meeting-data-rcWnOA33.js","/assets/notification-row-BY8ER8KA.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CaaSs2U-.js","/assets/use-open-record-DOmYB25h.js","/assets/in-sentence-G8KTgafj.js","/assets/record-name-DTv6c8sB.js","/assets/task-row-BgnBQkHZ.js"]],["/inbox(/.*)?",["/assets/inbox-page-ZAINl3RA.js","/assets/reply-form-EUJ-n-m1.js","/assets/reply-form-CovtpZk1.css","/assets/icons-CaaSs2U-.js","/assets/use-more-at-end-DjHHI77k.js","/assets/record-name-DTv6c8sB.js","/assets/task-composer-_sIwer8q.js","/assets/use-task-writes-C56mS8JE.js","/assets/use-task-writes-ByjeI2No.css"]],["/tasks(/.*)?",["/assets/tasks-page-CKTyoQQF.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-CaaSs2U-.js","/assets/no-access-IfAKvPcl.js","/assets/task-composer-_sIwer8q.js","/assets/use-task-writes-C56mS8JE.js","/assets/use-task-writes-ByjeI2No.css","/assets/use-more-at-end-DjHHI77k.js","/assets/task-row-BgnBQkHZ.js"]],["/calendar(/.*)?",["/assets/calendar-page-BuZWWGM2.js","/assets/calendar-page-sRRbaa6Q.css","/assets/use-task-writes-C56mS8JE.js","/assets/use-task-writes-ByjeI2No.css","/assets/meeting-data-rcWnOA33.js","/assets/icons-CaaSs2U-.js","/assets/task-composer-_sIwer8q.js","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-DSCkXj93.js","/assets/use-more-at-end-DjHHI77k.js","/assets/notification-row-BY8ER8KA.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CaaSs2U-.js","/assets/use-open-record-DOmYB25h.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-DK-fdaHd.js","/assets/new-by-name-CdDfqhAx.js","/assets/use-dashboards-CVw-M2UK.js","/assets/use-dashboards-Cslc0bD7.css"]],["/lists(/.*)?",["/assets/lists-page-DBz2exAI.js","/assets/new-by-name-CdDfqhAx.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-CZFK0rNI.js","/assets/duplicates-page-DC9tv7yS.css","/assets/record-name-DTv6c8sB.js","/assets/icons-CaaSs2U-.js","/assets/value-DrX0Y3Yj.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-DJxmMd1t.js","/assets/agents-page-Cy4n7DKx.css","/assets/icons-CaaSs2U-.js","/assets/value-text-Cl336lPi.js"]],["/import(/.*)?",["/assets/imports-page-J8QXWqJ1.js","/assets/read-file-phQqH_-r.js","/assets/read-file-BWCZv4r1.css"]],["/settings(/.*)?",["/assets/settings-page-DXTz9m7n.js","/assets/icons-CaaSs2U-.js","/assets/pages-DHm-oQET.js","/assets/settings.module-Bq_xyMOC.js","/assets/settings-Dv6M3SZR.css"]]],"others":["/assets/code-block-C65CSzgr.js","/assets/code-block-FkKBZDUO.css","/assets/direction-COdUsXGH.js","/assets/field-form-BcYkn1BC.js","/assets/field-form-WDBlqgMW.css","/assets/icons-CaaSs2U-.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-C2Yeqh4N.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-CDB5iSZZ.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-rcWnOA33.js","/assets/menu-BeElnPb7.css","/assets/menu-bnsLiqbQ.js","/assets/new-by-name-CdDfqhAx.js","/assets/no-access-IfAKvPcl.js","/assets/notification-row-BY8ER8KA.js","/assets/notification-row-CFO-YrFB.css","/assets/pages-DHm-oQET.js","/assets/people-data-BcsKGsdH.js","/assets/read-file-BWCZv4r1.css","/assets/read-file-phQqH_-r.js","/assets/read-only-EEZdhVF7.js","/assets/record-name-DTv6c8sB.js","/assets/reply-form-CovtpZk1.css","/assets/reply-form-EUJ-n-m1.js","/assets/row-height-Dpo4--Z4.js","/assets/save-file-Ditcmzjl.js","/assets/setting-DTT5qwFG.js","/assets/setting-list-UKAEMqVy.js","/assets/setting-table-Dh4Usz-u.js","/assets/setting-texts-CEB3DqF6.js","/assets/settings-Dv6M3SZR.css","/assets/settings.module-Bq_xyMOC.js","/assets/shown-meanwhile-BvWpAHmk.css","/assets/shown-meanwhile-C-T9mLIB.js","/assets/task-composer-_sIwer8q.js","/assets/task-row-BgnBQkHZ.js","/assets/use-dashboards-CVw-M2UK.js","/assets/use-dashboards-Cslc0bD7.css","/assets/use-more-at-end-DjHHI77k.js","/assets/use-open-record-DOmYB25h.js","/assets/use-task-writes-ByjeI2No.css","/assets/use-task-writes-C56mS8JE.js","/assets/value-Dge1Pjxo.css","/assets/value-DrX0Y3Yj.js","/assets/value-editor--hc1I7dR.css","/assets/value-editor-DEF8UGJQ.js","/assets/value-text-Cl336lPi.js","/assets/words-BJmzgYzj.js","/assets/agents-page-DJxmMd1t.js","/assets/agents-page-Cy4n7DKx.css","/assets/assistant-DzStibkO.js","/assets/going-Bd5iQd1N.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-DIo-Flvr.js","/assets/palette-BwPcHZlA.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-Cy319Gin.js","/assets/board-DrHzPeEx.js","/assets/board-C-iKLePh.css","/assets/calendar-page-BuZWWGM2.js","/assets/calendar-page-sRRbaa6Q.css","/assets/dashboard-page-D7TkJM4L.js","/assets/dashboards-page-DK-fdaHd.js","/assets/delete-dashboard-CnSUnStb.js","/assets/new-chart-DlESrOxM.js","/assets/duplicates-page-CZFK0rNI.js","/assets/duplicates-page-DC9tv7yS.css","/assets/home-page-Bn7Xa1xg.js","/assets/home-page--3CczgM1.css","/assets/german-3DPZxG8f.js","/assets/import-page-CPKBf9wC.js","/assets/imports-page-J8QXWqJ1.js","/assets/inbox-page-ZAINl3RA.js","/assets/new-mail-CBUyM-ZN.js","/assets/thread-marks-CB3e2uhN.js","/assets/list-entries-page-DHtFfYtf.js","/assets/lists-page-DBz2exAI.js","/assets/notifications-page-DSCkXj93.js","/assets/add-related-CbSDfa9S.js","/assets/add-to-list-Cm8OjSRa.js","/assets/history-dialog-CDPOVP9Y.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-DKnP3kV0.js","/assets/record-page-CMgtfScR.js","/assets/record-page-CSFS_PFY.css","/assets/list-menu-CQFq9AoT.js","/assets/list-page-D1RyLg61.js","/assets/list-page-COwTjPrt.css","/assets/new-record-BWAbZDoW.js","/assets/trash-page-DHepZH-B.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-C0amklvT.js","/assets/accounts-page-D0DV9LGc.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-BmAQwY1g.js","/assets/audit-page-CqQPWNHk.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-LU-ytZ9I.js","/assets/organization-page-2a0sT9H0.js","/assets/people-page-BRYQVZP6.js","/assets/roles-page-BZ8mrmyB.js","/assets/settings-page-DXTz9m7n.js","/assets/tokens-page-DIVxsWIp.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-CgUceZrH.js","/assets/due-popover-CWF9z88M.js","/assets/person-picker-d0JSV39V.js","/assets/record-picker-S3Eq5CGw.js","/assets/tasks-page-CKTyoQQF.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-DOtrhPZn.js"]};
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
