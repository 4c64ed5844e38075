import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import './app/app.css';

const root = document.querySelector('#app');
if (!root) throw new Error('The page has no root for the application');
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
