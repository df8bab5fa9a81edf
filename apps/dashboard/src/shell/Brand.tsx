import classes from './brand.module.css'

/** The logo and the name. A fairlead is a ring that guides a rope. */
export function Brand() {
  return (
    <span className={classes['root']}>
      <svg width="26" height="26" viewBox="0 0 32 32" fill="none" aria-hidden>
        <rect width="32" height="32" rx="8" fill="#0b6c7e" />
        <circle cx="16" cy="17.5" r="6.5" stroke="#fff" strokeWidth="2.6" />
        <path d="M4 10.5c6.5 0 9 2.6 12 7s5.5 7 12 7" stroke="#9fe0ea" strokeWidth="2.6" strokeLinecap="round" />
      </svg>
      Fairlead
    </span>
  )
}
