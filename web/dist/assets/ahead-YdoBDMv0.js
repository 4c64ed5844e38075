// Runs before everything else on the page and sends the requests that the page will make while its modules are
// loading. The build replaces `built` with the files of each page and the remaining files.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-BuKay85x.js","/assets/trash-page-BCfhwtIE.css","/assets/no-object-CRNEMZlK.js","/assets/no-access-qIXCEIqm.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-rNY4zUIb.js","/assets/record-page-DMkx8AoS.css","/assets/shown-meanwhile-DTHaC6c9.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-CRVKCK4R.js","/assets/value-editor-DcD8OVtm.js","/assets/value-editor--hc1I7dR.css","/assets/value-CAo7socn.js","/assets/value-Dge1Pjxo.css","/assets/direction-COdUsXGH.js","/assets/contact-of-pwfA8Wyg.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-CoPf_3Av.js","/assets/list-page-D_xqyly3.css","/assets/no-object-CRNEMZlK.js","/assets/no-access-qIXCEIqm.js","/assets/shown-meanwhile-DTHaC6c9.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-CRVKCK4R.js","/assets/value-editor-DcD8OVtm.js","/assets/value-editor--hc1I7dR.css","/assets/value-CAo7socn.js","/assets/value-Dge1Pjxo.css","/assets/words-D4ns1Luq.js","/assets/direction-COdUsXGH.js","/assets/row-height-BCehNVql.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-BXg_O43v.js","/assets/icons-CRVKCK4R.js","/assets/use-dashboards-vibKMnz4.js","/assets/use-dashboards-D5tofRZ1.css","/assets/value-text-CUe0wFPD.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-By4CJYHs.js","/assets/icons-CRVKCK4R.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-DcD8OVtm.js","/assets/value-editor--hc1I7dR.css","/assets/value-CAo7socn.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-DZ4d6VNd.js","/assets/icons-CRVKCK4R.js","/assets/read-file-Bk73-O_B.js","/assets/read-file-DnNH4G_g.css","/assets/value-text-CUe0wFPD.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-BsXc4gz2.js","/assets/home-page--3CczgM1.css","/assets/meeting-data-XW3bxgDO.js","/assets/notification-row-CtFd1QMB.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CRVKCK4R.js","/assets/use-open-record-UUjFuakE.js","/assets/in-sentence-G8KTgafj.js","/assets/task-row-DjCDyHZE.js","/assets/use-task-writes-BQJ9axEa.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/inbox(/.*)?",["/assets/inbox-page-BTeimyGH.js","/assets/reply-form-mV154xZS.js","/assets/reply-form-CovtpZk1.css","/assets/icons-CRVKCK4R.js","/assets/contact-of-pwfA8Wyg.js","/assets/use-more-at-end-CL2GNS7k.js","/assets/task-composer-Bdfep7WZ.js","/assets/use-task-writes-BQJ9axEa.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/tasks(/.*)?",["/assets/tasks-page-Lytrv33p.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-CRVKCK4R.js","/assets/no-access-qIXCEIqm.js","/assets/task-composer-Bdfep7WZ.js","/assets/use-task-writes-BQJ9axEa.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-more-at-end-CL2GNS7k.js","/assets/task-row-DjCDyHZE.js"]],["/calendar(/.*)?",["/assets/calendar-page-In3D7Fho.js","/assets/calendar-page-C7T9AoKT.css","/assets/meeting-data-XW3bxgDO.js","/assets/icons-CRVKCK4R.js","/assets/task-composer-Bdfep7WZ.js","/assets/use-task-writes-BQJ9axEa.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-BEO84RIL.js","/assets/use-more-at-end-CL2GNS7k.js","/assets/notification-row-CtFd1QMB.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-CRVKCK4R.js","/assets/use-open-record-UUjFuakE.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-Dr2ktfCJ.js","/assets/new-by-name-GJyoaeMd.js","/assets/use-dashboards-vibKMnz4.js","/assets/use-dashboards-D5tofRZ1.css"]],["/lists(/.*)?",["/assets/lists-page-8l7j-c0o.js","/assets/new-by-name-GJyoaeMd.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-DpF4tFBR.js","/assets/duplicates-page-TqTIGCzA.css","/assets/icons-CRVKCK4R.js","/assets/value-CAo7socn.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-BLfbsToh.js","/assets/agents-page-DIzkDFsZ.css","/assets/icons-CRVKCK4R.js","/assets/value-text-CUe0wFPD.js"]],["/import(/.*)?",["/assets/imports-page-Fb_Gs2OC.js","/assets/read-file-Bk73-O_B.js","/assets/read-file-DnNH4G_g.css"]],["/settings(/.*)?",["/assets/settings-page-DGpUx0Q8.js","/assets/icons-CRVKCK4R.js","/assets/pages-DHm-oQET.js","/assets/settings.module-D3v855w2.js","/assets/settings-UzL6V7i_.css"]]],"others":["/assets/code-block-CDAzw6Bu.js","/assets/code-block-FkKBZDUO.css","/assets/contact-of-pwfA8Wyg.js","/assets/direction-COdUsXGH.js","/assets/field-form-CiCDhtQk.js","/assets/field-form-WDBlqgMW.css","/assets/icons-CRVKCK4R.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-CUkBBQdF.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use--yPw-NL-.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-XW3bxgDO.js","/assets/menu-BeElnPb7.css","/assets/menu-BiRKBhlF.js","/assets/new-by-name-GJyoaeMd.js","/assets/no-access-qIXCEIqm.js","/assets/no-object-CRNEMZlK.js","/assets/notification-row-CFO-YrFB.css","/assets/notification-row-CtFd1QMB.js","/assets/pages-DHm-oQET.js","/assets/people-data-CImP4m72.js","/assets/read-file-Bk73-O_B.js","/assets/read-file-DnNH4G_g.css","/assets/read-only-D-HrM6ZJ.js","/assets/reply-form-CovtpZk1.css","/assets/reply-form-mV154xZS.js","/assets/row-height-BCehNVql.js","/assets/save-file-Ditcmzjl.js","/assets/setting-BbLrVItl.js","/assets/setting-list-CdiTKxGD.js","/assets/setting-table-COoZZKL6.js","/assets/setting-texts-CY-g8pH8.js","/assets/settings-UzL6V7i_.css","/assets/settings.module-D3v855w2.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/shown-meanwhile-DTHaC6c9.js","/assets/task-composer-Bdfep7WZ.js","/assets/task-row-DjCDyHZE.js","/assets/use-dashboards-D5tofRZ1.css","/assets/use-dashboards-vibKMnz4.js","/assets/use-more-at-end-CL2GNS7k.js","/assets/use-open-record-UUjFuakE.js","/assets/use-task-writes-BQJ9axEa.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/value-CAo7socn.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-DcD8OVtm.js","/assets/value-text-CUe0wFPD.js","/assets/words-D4ns1Luq.js","/assets/agents-page-BLfbsToh.js","/assets/agents-page-DIzkDFsZ.css","/assets/assistant-Cb9La5YZ.js","/assets/going-Bq_AoHDu.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-CZFxSjeC.js","/assets/palette-CIowUtmg.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-CVWTo4Xd.js","/assets/board-BTBnPq_Z.js","/assets/board-BtkhCY1K.css","/assets/calendar-page-In3D7Fho.js","/assets/calendar-page-C7T9AoKT.css","/assets/dashboard-page-BXg_O43v.js","/assets/dashboards-page-Dr2ktfCJ.js","/assets/delete-dashboard-CVuwuUda.js","/assets/new-chart-DAFeYVbH.js","/assets/duplicates-page-DpF4tFBR.js","/assets/duplicates-page-TqTIGCzA.css","/assets/home-page-BsXc4gz2.js","/assets/home-page--3CczgM1.css","/assets/german-BqPDXMC6.js","/assets/import-page-DZ4d6VNd.js","/assets/imports-page-Fb_Gs2OC.js","/assets/inbox-page-BTeimyGH.js","/assets/new-mail-Cv2VdSDU.js","/assets/thread-marks-CfFEN_4B.js","/assets/list-entries-page-By4CJYHs.js","/assets/lists-page-8l7j-c0o.js","/assets/notifications-page-BEO84RIL.js","/assets/add-related-IITBQni5.js","/assets/add-to-list-DtSjG3s-.js","/assets/history-dialog-C0vVBkkD.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-BQmQNkqj.js","/assets/record-page-rNY4zUIb.js","/assets/record-page-DMkx8AoS.css","/assets/list-menu-dHM4eVXH.js","/assets/list-page-CoPf_3Av.js","/assets/list-page-D_xqyly3.css","/assets/new-record-9GcxDmw8.js","/assets/trash-page-BuKay85x.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-Cx0aZYQW.js","/assets/accounts-page-DMZrv7q4.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-D7k8V_16.js","/assets/audit-page-BiauAnGH.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-BLJHRAdm.js","/assets/organization-page-B-fv-IL7.js","/assets/people-page-CISXVdfh.js","/assets/roles-page-CNlPBcvy.js","/assets/settings-page-DGpUx0Q8.js","/assets/tokens-page-CJ9tQw2O.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-Dhy4XIfX.js","/assets/due-popover-B6hr4wLe.js","/assets/person-picker-CjOxOtQy.js","/assets/record-picker-zrNnZ6te.js","/assets/tasks-page-Lytrv33p.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-BNKanzET.js"]};
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
    // Unhandled unless the page takes this answer.
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
    /**
     * Lets the browser cache the files of all other pages, a few at a time, so that they work while the service is away; a second
     * call continues.
     */
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
