/** Frames that say how a crash was raised or carried, and never what was wrong. A group's key passes over them. */
import type { GroupedFrame } from './frame-name.ts'

/** The reason why a frame is skipped, for the page that explains a group. */
export type SkipReason = 'raises' | 'aborts' | 'allocates' | 'sends' | 'traps' | 'schedules' | 'reflects' | 'waits'

/** `class.method` of Java and Kotlin. */
const javaRules: [SkipReason, RegExp][] = [
  ['raises', /^java\.util\.Objects\.(require|check)\w*$/],
  ['raises', /^kotlin\.jvm\.internal\.Intrinsics\.(throw|check|sanitize)\w*$/],
  [
    'raises',
    /^kotlin\.(ResultKt|PreconditionsKt\w*|UninitializedPropertyAccessException)\.\w*(throw|require|check|error)\w*$/i,
  ],
  ['raises', /^(java|jdk|kotlin|dalvik)\..*\b(Preconditions\w*|Throwables?|Assert)\.\w+$/],
  ['raises', /^(com\.google\.common|androidx\.core\.util)\..*\b(Preconditions\w*|Throwables?|Assert)\.\w+$/],
  ['raises', /^java\.lang\.Throwable\.(fillInStackTrace|nativeFillInStackTrace|<init>)$/],
  ['schedules', /^kotlinx?\.coroutines\..*(resume|dispatch|invokeSuspend|run|yield)\w*$/i],
  ['schedules', /^kotlin\.coroutines\.jvm\.internal\./],
  ['reflects', /^(java\.lang\.reflect|jdk\.internal\.reflect|sun\.reflect|java\.lang\.invoke)\./],
  ['waits', /^java\.lang\.(Object\.wait0?|Thread\.(sleep0?|join)|Thread\.parkFor)$/],
  ['waits', /^(jdk\.internal\.misc|sun\.misc)\.Unsafe\.park$|^java\.util\.concurrent\.locks\.LockSupport\.park\w*$/],
  ['waits', /^android\.os\.MessageQueue\.(nativePollOnce|next)$/],
]

/** Names of native functions, demangled. */
const nativeRules: [SkipReason, RegExp][] = [
  ['aborts', /^_*(abort|tgkill|pthread_kill|kill|raise|exit|terminate|abort_with_(reason|payload)|assert\w*)$/i],
  ['aborts', /^(std::|__cxxabiv1::)?_*(terminate|__terminate|failed_throw|unexpected_handler)\b/],
  ['aborts', /^(demangling_terminate_handler|_objc_terminate|abort_message)/],
  ['aborts', /^(art::Runtime::Abort|__assert|__android_log_assert)/],
  ['raises', /^(objc_exception_(throw|rethrow)|__exceptionPreprocess|-\[NSException raise\]|\+\[NSException raise:)/],
  ['raises', /^__cxa_(throw|rethrow|bad_cast|pure_virtual)/],
  ['raises', /^_?swift_(unexpectedError|errorInMain|deletedMethodError|willThrow|abort|reportFatal)/],
  ['raises', /^Swift\.(_?assertionFailure|fatalError|_?preconditionFailure|_fatalErrorMessage)/],
  ['raises', /^(_assertionFailure|fatalError)/],
  ['raises', /^(_?CFThrow|__CFRequire|-\[NSAssertionHandler handleFailure)/],
  ['allocates', /^(operator (new|delete)|malloc|calloc|realloc|free)/],
  ['allocates', /^(_?malloc_zone_\w|szone_\w|tiny_\w|nano\w*_(malloc|free|calloc))/],
  ['allocates', /^(swift_(slow)?(Alloc|Dealloc)|_swift_release_dealloc|swift_allocObject)/],
  ['sends', /^(objc_msgSend|_?objc_(retain|release|storeStrong|loadWeak|autorelease)|_objc_rootRelease)/],
  ['sends', /^swift_(retain|release|bridgeObject\w)/],
  ['traps', /^(__builtin_trap|_?sigtramp|__kernel_rt_sigreturn|__restore_rt|brk|ud2|art_sigsegv_fault)/],
  ['schedules', /^(swift::runJobInEstablishedExecutorContext|swift_job_run|completeTask)/],
  ['schedules', /^_dispatch_(call_block_and_release|client_callout)/],
  ['waits', /^(__psynch_\w+|mach_msg\w*|__semwait_signal|semaphore_wait_trap|__ulock_wait|kevent\w*)$/],
  ['waits', /^(poll|epoll_p?wait|__(epoll_pwait|ppoll|futex\w*)|syscall|nanosleep)$/],
  ['waits', /^(_pthread_cond_wait|pthread_cond_\w*wait)$/],
]

/** Returns the reason to skip a frame; undefined if the frame counts. */
export function findSkipReason({ className, name }: GroupedFrame): SkipReason | undefined {
  if (name === null) return undefined
  const [rules, text] = className === null ? [nativeRules, name] : [javaRules, `${className}.${name}`]
  return rules.find(([, pattern]) => pattern.test(text.slice(0, 1000)))?.[0]
}
