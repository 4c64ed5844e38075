// Runs before everything else on the page and sends the requests that the page will make while its modules are
// loading. The build replaces `built` with the files of each page and the remaining files.
/* global built */
(() => {
  const { pages, others } = {"pages":[["/r/[^/]+/trash(/.*)?",["/assets/trash-page-CgAS_Odl.js","/assets/trash-page-BCfhwtIE.css","/assets/no-object-oyuVwUGF.js","/assets/no-access-CbUUZ41F.js"]],["/r/[^/]+/[^/]+(/.*)?",["/assets/record-page-CnfU1GOC.js","/assets/record-page-DMkx8AoS.css","/assets/shown-meanwhile-CdI8a72i.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-BMc2qjVW.js","/assets/value-editor-DdE7YvqG.js","/assets/value-editor--hc1I7dR.css","/assets/value-CQpc_6K1.js","/assets/value-Dge1Pjxo.css","/assets/direction-COdUsXGH.js","/assets/contact-of-DOWOkU88.js","/assets/in-sentence-G8KTgafj.js"]],["/r/[^/]+(/.*)?",["/assets/list-page-DMx4Xjjb.js","/assets/list-page-D_xqyly3.css","/assets/no-object-oyuVwUGF.js","/assets/no-access-CbUUZ41F.js","/assets/shown-meanwhile-CdI8a72i.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/icons-BMc2qjVW.js","/assets/value-editor-DdE7YvqG.js","/assets/value-editor--hc1I7dR.css","/assets/value-CQpc_6K1.js","/assets/value-Dge1Pjxo.css","/assets/words-CiB-qUaH.js","/assets/direction-COdUsXGH.js","/assets/row-height-UQzeHq57.js"]],["/dashboards/[^/]+(/.*)?",["/assets/dashboard-page-DdWFWSd6.js","/assets/icons-BMc2qjVW.js","/assets/use-dashboards-DTUZI9bw.js","/assets/use-dashboards-D5tofRZ1.css","/assets/value-text-LvLquGgl.js"]],["/lists/[^/]+(/.*)?",["/assets/list-entries-page-DIF8Vfbq.js","/assets/icons-BMc2qjVW.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css","/assets/value-editor-DdE7YvqG.js","/assets/value-editor--hc1I7dR.css","/assets/value-CQpc_6K1.js","/assets/value-Dge1Pjxo.css"]],["/import/[^/]+(/.*)?",["/assets/import-page-BPULFRvG.js","/assets/icons-BMc2qjVW.js","/assets/read-file-fIVEyb7n.js","/assets/read-file-DnNH4G_g.css","/assets/value-text-LvLquGgl.js","/assets/save-file-Ditcmzjl.js"]],["/home(/.*)?",["/assets/home-page-KdyJLSGV.js","/assets/home-page--3CczgM1.css","/assets/meeting-data-C58euj84.js","/assets/notification-row-xerolDVi.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-BMc2qjVW.js","/assets/use-open-record-DYQhA0G7.js","/assets/in-sentence-G8KTgafj.js","/assets/task-row-CtrfV2dm.js","/assets/use-task-writes-Dubq3cj4.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/inbox(/.*)?",["/assets/inbox-page-BypExeGz.js","/assets/reply-form-BndIBNYU.js","/assets/reply-form-CovtpZk1.css","/assets/icons-BMc2qjVW.js","/assets/contact-of-DOWOkU88.js","/assets/use-more-at-end-D1FBViYr.js","/assets/task-composer-uSTTsdv6.js","/assets/use-task-writes-Dubq3cj4.js","/assets/use-task-writes-Cw5V8Lea.css"]],["/tasks(/.*)?",["/assets/tasks-page-DL52gWWi.js","/assets/tasks-page-BcKza3pT.css","/assets/icons-BMc2qjVW.js","/assets/no-access-CbUUZ41F.js","/assets/task-composer-uSTTsdv6.js","/assets/use-task-writes-Dubq3cj4.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-more-at-end-D1FBViYr.js","/assets/task-row-CtrfV2dm.js"]],["/calendar(/.*)?",["/assets/calendar-page-DlwISRFf.js","/assets/calendar-page-C7T9AoKT.css","/assets/meeting-data-C58euj84.js","/assets/icons-BMc2qjVW.js","/assets/task-composer-uSTTsdv6.js","/assets/use-task-writes-Dubq3cj4.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/direction-COdUsXGH.js"]],["/notifications(/.*)?",["/assets/notifications-page-T_S6Orvl.js","/assets/use-more-at-end-D1FBViYr.js","/assets/notification-row-xerolDVi.js","/assets/notification-row-CFO-YrFB.css","/assets/icons-BMc2qjVW.js","/assets/use-open-record-DYQhA0G7.js","/assets/in-sentence-G8KTgafj.js"]],["/dashboards(/.*)?",["/assets/dashboards-page-CHZSQzE4.js","/assets/new-by-name-0bSZ00f4.js","/assets/use-dashboards-DTUZI9bw.js","/assets/use-dashboards-D5tofRZ1.css"]],["/lists(/.*)?",["/assets/lists-page-DocYWVyN.js","/assets/new-by-name-0bSZ00f4.js","/assets/lists.module-BCaK62dX.js","/assets/lists-g7ecWEvu.css"]],["/duplicates(/.*)?",["/assets/duplicates-page-SznXi6vz.js","/assets/duplicates-page-TqTIGCzA.css","/assets/icons-BMc2qjVW.js","/assets/value-CQpc_6K1.js","/assets/value-Dge1Pjxo.css"]],["/agents(/.*)?",["/assets/agents-page-1MEDsfRY.js","/assets/agents-page-DIzkDFsZ.css","/assets/icons-BMc2qjVW.js","/assets/value-text-LvLquGgl.js"]],["/import(/.*)?",["/assets/imports-page-D7Bhx1g1.js","/assets/read-file-fIVEyb7n.js","/assets/read-file-DnNH4G_g.css"]],["/settings(/.*)?",["/assets/settings-page-DUMuuuN2.js","/assets/icons-BMc2qjVW.js","/assets/pages-DHm-oQET.js","/assets/settings.module-D3v855w2.js","/assets/settings-UzL6V7i_.css"]]],"others":["/assets/code-block-FkKBZDUO.css","/assets/code-block-XXwzfNdj.js","/assets/contact-of-DOWOkU88.js","/assets/direction-COdUsXGH.js","/assets/field-form-CvDlonfA.js","/assets/field-form-WDBlqgMW.css","/assets/icons-BMc2qjVW.js","/assets/in-sentence-G8KTgafj.js","/assets/key-list-DaFZbLYx.js","/assets/key-list-mpYJxI-Z.css","/assets/last-use-JPE_3GdO.js","/assets/lists-g7ecWEvu.css","/assets/lists.module-BCaK62dX.js","/assets/meeting-data-C58euj84.js","/assets/menu-BeElnPb7.css","/assets/menu-BzuDxu9c.js","/assets/new-by-name-0bSZ00f4.js","/assets/no-access-CbUUZ41F.js","/assets/no-object-oyuVwUGF.js","/assets/notification-row-CFO-YrFB.css","/assets/notification-row-xerolDVi.js","/assets/pages-DHm-oQET.js","/assets/people-data-CPOPI-GP.js","/assets/read-file-DnNH4G_g.css","/assets/read-file-fIVEyb7n.js","/assets/read-only-D_xBLTBo.js","/assets/reply-form-BndIBNYU.js","/assets/reply-form-CovtpZk1.css","/assets/row-height-UQzeHq57.js","/assets/save-file-Ditcmzjl.js","/assets/setting-DnEIkVnG.js","/assets/setting-list-7jMIEY3o.js","/assets/setting-table-CsrzsYjI.js","/assets/setting-texts-DMfZZzJi.js","/assets/settings-UzL6V7i_.css","/assets/settings.module-D3v855w2.js","/assets/shown-meanwhile-CdI8a72i.js","/assets/shown-meanwhile-Ce7jmdXO.css","/assets/task-composer-uSTTsdv6.js","/assets/task-row-CtrfV2dm.js","/assets/use-dashboards-D5tofRZ1.css","/assets/use-dashboards-DTUZI9bw.js","/assets/use-more-at-end-D1FBViYr.js","/assets/use-open-record-DYQhA0G7.js","/assets/use-task-writes-Cw5V8Lea.css","/assets/use-task-writes-Dubq3cj4.js","/assets/value-CQpc_6K1.js","/assets/value-Dge1Pjxo.css","/assets/value-editor--hc1I7dR.css","/assets/value-editor-DdE7YvqG.js","/assets/value-text-LvLquGgl.js","/assets/words-CiB-qUaH.js","/assets/agents-page-1MEDsfRY.js","/assets/agents-page-DIzkDFsZ.css","/assets/assistant-BNMfLYd4.js","/assets/going-DkcyYEk8.js","/assets/going-bkqJwWo1.css","/assets/key-sheet-BwsTFPas.js","/assets/palette-bpJTyOc6.js","/assets/palette-z3M5P7nW.css","/assets/person-choices-DFNVlmii.js","/assets/board-BsdXVw2I.js","/assets/board-BtkhCY1K.css","/assets/calendar-page-DlwISRFf.js","/assets/calendar-page-C7T9AoKT.css","/assets/dashboard-page-DdWFWSd6.js","/assets/dashboards-page-CHZSQzE4.js","/assets/delete-dashboard-DUvRQc9s.js","/assets/new-chart-BJepsuxM.js","/assets/duplicates-page-SznXi6vz.js","/assets/duplicates-page-TqTIGCzA.css","/assets/home-page-KdyJLSGV.js","/assets/home-page--3CczgM1.css","/assets/german-DcPUraVS.js","/assets/import-page-BPULFRvG.js","/assets/imports-page-D7Bhx1g1.js","/assets/inbox-page-BypExeGz.js","/assets/new-mail-CWX69HIP.js","/assets/thread-marks-D9TLUdDf.js","/assets/list-entries-page-DIF8Vfbq.js","/assets/lists-page-DocYWVyN.js","/assets/notifications-page-T_S6Orvl.js","/assets/add-related-ZG3gX6h8.js","/assets/add-to-list-B0L92xZU.js","/assets/history-dialog-CsQvxtXC.js","/assets/history-dialog-B-ueuZdd.css","/assets/record-menu-DJUIoEgc.js","/assets/record-page-CnfU1GOC.js","/assets/record-page-DMkx8AoS.css","/assets/list-menu-CEKBHPRN.js","/assets/list-page-DMx4Xjjb.js","/assets/list-page-D_xqyly3.css","/assets/new-record-CTAp3w3D.js","/assets/trash-page-CgAS_Odl.js","/assets/trash-page-BCfhwtIE.css","/assets/rename-view-CDtNJUwe.js","/assets/accounts-page-CxBRHJt7.js","/assets/accounts-page-CEQdo-lO.css","/assets/apps-page-B5D16jMk.js","/assets/audit-page-CaKOlPI7.js","/assets/audit-page-Tg7SW5V4.css","/assets/keyboard-page-BByz7OYH.js","/assets/organization-page-CHEGIpYm.js","/assets/people-page-Dm5zgwtS.js","/assets/roles-page-CIPbD_Y6.js","/assets/settings-page-DUMuuuN2.js","/assets/tokens-page-RY2CXMAF.js","/assets/tokens-page-7CRX_wOw.css","/assets/you-page-DixWY2es.js","/assets/due-popover-CJaPbYOA.js","/assets/person-picker-YbZ0FHP4.js","/assets/record-picker-wsvk_a4h.js","/assets/tasks-page-DL52gWWi.js","/assets/tasks-page-BcKza3pT.css","/assets/pop-over-DSD7zn2G.js"]};
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
