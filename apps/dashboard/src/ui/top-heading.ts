import { createContext } from 'react'

/** The level of the first heading of a page's content: 2 where a layout around it shows the only heading of level 1. */
export const TopHeading = createContext<1 | 2>(1)
