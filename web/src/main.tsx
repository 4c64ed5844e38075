import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import './app/app.css';

const place = document.querySelector('#app');
if (!place) throw new Error('The page has no place for the application');
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
