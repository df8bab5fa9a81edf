/** Frames that only raise or forward an error and do not show its cause. A group's key leaves them out. */
import type { GroupedFrame } from './frame-name.ts'

/** The reason why a frame is left out, which the page of a group shows. */
export type SkipReason =
  | 'raises'
  | 'aborts'
  | 'allocates'
  | 'sends'
  | 'traps'
  | 'schedules'
  | 'reflects'
  | 'waits'
  | 'rule'

/** `class.method` of Java and Kotlin. */
const javaRules: [SkipReason, RegExp][] = [
  ['raises', /^java\.util\.Objects\.(require|check)\w*$/],
  ['raises', /^kotlin\.jvm\.internal\.Intrinsics\.(throw|check|sanitize)\w*$/],
  [
    'raises',
    /^kotlin\.(ResultKt|PreconditionsKt\w*|UninitializedPropertyAccessException)\.\w*(throw|require|check|error)\w*$/i,
  ],
  [
    'raises',
    /^(java|jdk|kotlin|com\.google\.common|androidx\.core|dalvik)\..*\b(Preconditions\w*|Throwables?|Assert)\.\w+$/,
  ],
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
  ['aborts', /^(demangling_terminate_handler|_objc_terminate|art::Runtime::Abort|abort_message)/],
  ['aborts', /^(__assert\w*|__android_log_assert)/],
  ['raises', /^(objc_exception_(throw|rethrow)|__exceptionPreprocess)/],
  ['raises', /^(__cxa_(throw|rethrow|bad_cast|pure_virtual)|-\[NSException raise\])/],
  ['raises', /^(\+\[NSException raise:)/],
  ['raises', /^(_?swift_(unexpectedError|errorInMain|deletedMethodError|willThrow|abort\w*|reportFatal\w*))/],
  ['raises', /^(Swift\.(_?assertionFailure|fatalError|_?preconditionFailure|_fatalErrorMessage))/],
  ['raises', /^(_assertionFailure|fatalError)/],
  // Kotlin/Native records the stack in the constructors of throwables.
  ['raises', /^kfun:kotlin\.(\w+\.)*\w*(Throwable|Exception|Error)(#<init>|#|\.<init>|$)/],
  ['raises', /^(kfun:kotlin\.\w*(throw|Throw)|ThrowException$|Kotlin_ObjCExport_)/],
  ['raises', /^(_?CFThrow|__CFRequire|-\[NSAssertionHandler handleFailure)/],
  ['allocates', /^(operator (new|delete)|malloc|calloc|realloc|free|_?malloc_zone_\w+|szone_\w+|tiny_\w+)/],
  ['allocates', /^(nano\w*_(malloc|free|calloc)\w*|swift_(slow)?(Alloc|Dealloc)\w*)/],
  ['allocates', /^(_swift_release_dealloc|swift_allocObject)/],
  ['sends', /^(objc_msgSend\w*|_?objc_(retain|release|storeStrong|loadWeak|autorelease)\w*)/],
  ['sends', /^(_objc_rootRelease|swift_(retain|release|bridgeObject\w+))/],
  ['traps', /^(__builtin_trap|_?sigtramp|__kernel_rt_sigreturn|__restore_rt|brk|ud2|art_sigsegv_fault)/],
  ['schedules', /^(swift::runJobInEstablishedExecutorContext|swift_job_run)/],
  ['schedules', /^(_dispatch_(call_block_and_release|client_callout)|completeTask)/],
  ['waits', /^(__psynch_\w+|mach_msg\w*|__semwait_signal|_pthread_cond_wait|semaphore_wait_trap)$/],
  ['waits', /^(__ulock_wait|kevent\w*|poll|epoll_p?wait|__(epoll_pwait|ppoll|futex\w*)|syscall)$/],
  ['waits', /^(nanosleep|pthread_cond_\w*wait)$/],
]

/** Returns the reason to skip a frame; undefined if the frame counts. */
export function findSkipReason({ className, name }: GroupedFrame): SkipReason | undefined {
  if (name === null) return undefined
  const [rules, text] = className === null ? [nativeRules, name] : [javaRules, `${className}.${name}`]
  return rules.find(([, pattern]) => pattern.test(text.slice(0, 1000)))?.[0]
}
