/**
 * The tree of a Swift name. Most of the language's 300 node kinds print a fixed phrase around their children. They
 * share the kind `Phrase`, whose text is that phrase with `{0}`, `{1}` … in place of the children.
 */
export type Kind = NameKind | ContextKind | TypeKind | GenericKind | WrapperKind | MarkerKind | ImplKind

type NameKind = 'Identifier' | 'Operator' | 'LocalDeclName' | 'PrivateDeclName' | 'RelatedEntityDeclName'

type ContextKind =
  | NominalKind
  | 'Accessor'
  | 'Allocator'
  | 'AnonymousContext'
  | 'Constructor'
  | 'Deallocator'
  | 'DefaultArgument'
  | 'Destructor'
  | 'ExplicitClosure'
  | 'Extension'
  | 'Function'
  | 'GenericTypeParamDecl'
  | 'ImplicitClosure'
  | 'Initializer'
  | 'Macro'
  | 'MacroExpansion'
  | 'MacroExpansionLocation'
  | 'Module'
  | 'OpaqueReturnTypeOf'
  | 'Static'
  | 'Subscript'
  | 'Variable'

type NominalKind = 'Class' | 'Structure' | 'Enum' | 'Protocol' | 'TypeAlias' | 'OtherNominalType'

type TypeKind =
  | 'Type'
  | 'ArgumentTuple'
  | 'AssociatedTypeRef'
  | 'BoundGenericClass'
  | 'BoundGenericEnum'
  | 'BoundGenericFunction'
  | 'BoundGenericOtherNominalType'
  | 'BoundGenericProtocol'
  | 'BoundGenericStructure'
  | 'BoundGenericTypeAlias'
  | 'BuiltinType'
  | 'ConstrainedExistential'
  | 'ExistentialMetatype'
  | 'FunctionType'
  | 'LabelList'
  | 'Metatype'
  | 'ModifiedType'
  | 'OpaqueType'
  | 'Pack'
  | 'PackExpansion'
  | 'ProtocolList'
  | 'ProtocolListWithAnyObject'
  | 'ProtocolListWithClass'
  | 'ReturnType'
  | 'SilBox'
  | 'SugaredType'
  | 'Tuple'
  | 'TupleElement'
  | 'TupleElementName'
  | 'TypeList'
  | 'TypeMangling'

type GenericKind =
  | 'AssocTypePath'
  | 'DependentAssociatedTypeRef'
  | 'DependentGenericParamCount'
  | 'DependentGenericParamType'
  | 'DependentGenericSignature'
  | 'DependentGenericType'
  | 'DependentMemberType'
  | 'LayoutRequirement'
  | 'PackMarker'
  | 'Requirement'
  | 'ValueMarker'

type WrapperKind =
  | 'Attribute'
  | 'AsyncResume'
  | 'AutoDiffFunction'
  | 'AutoDiffReorderingThunk'
  | 'AutoDiffSubsetThunk'
  | 'DifferentiabilityWitness'
  | 'ConcreteConformance'
  | 'Conformance'
  | 'ConformanceList'
  | 'DependentConformance'
  | 'ExistentialShape'
  | 'Global'
  | 'KeyPathThunk'
  | 'KeyPathIndexThunk'
  | 'ObjCCompletionHandler'
  | 'OnceDeclList'
  | 'PartialApply'
  | 'Phrase'
  | 'ProtocolConformance'
  | 'ReabstractionThunk'
  | 'RetroactiveConformance'
  | 'Specialization'
  | 'SpecializationParam'
  | 'SignatureParam'
  | 'SignatureReturn'
  | 'SignatureParamKind'
  | 'SignatureParamPayload'
  | 'Suffix'
  | 'ThunkAttribute'
  | 'ValueWitness'

type MarkerKind =
  | 'AsyncAnnotation'
  | 'ClangType'
  | 'ConcurrentFunctionType'
  | 'DifferentiableFunctionType'
  | 'EmptyList'
  | 'FirstElementMarker'
  | 'FunctionIsolation'
  | 'Index'
  | 'IndexSubset'
  | 'SendingResult'
  | 'Serialized'
  | 'ThrowsAnnotation'
  | 'VariadicMarker'

type ImplKind =
  | 'ImplFunctionType'
  | 'ImplInvocationSubstitutions'
  | 'ImplPatternSubstitutions'
  | 'ImplParameter'
  | 'ImplResult'
  | 'ImplText'

export interface Node {
  readonly kind: Kind
  /** The words of the kind: a name, a phrase or a convention. */
  readonly text: string
  /** A position, a count or a set of flags. */
  readonly index: number
  readonly children: Node[]
}

const contexts = new Set<Kind>([
  'AutoDiffFunction',
  'Accessor',
  'Allocator',
  'AnonymousContext',
  'Class',
  'Constructor',
  'Deallocator',
  'DefaultArgument',
  'Destructor',
  'Enum',
  'ExplicitClosure',
  'Extension',
  'Function',
  'GenericTypeParamDecl',
  'ImplicitClosure',
  'Initializer',
  'Macro',
  'MacroExpansion',
  'MacroExpansionLocation',
  'Module',
  'OpaqueReturnTypeOf',
  'OtherNominalType',
  'Protocol',
  'Static',
  'Structure',
  'Subscript',
  'TypeAlias',
  'Variable',
])
const declNames = new Set<Kind>(['Identifier', 'LocalDeclName', 'Operator', 'PrivateDeclName', 'RelatedEntityDeclName'])
const nominals = new Set<Kind>(['Class', 'Structure', 'Enum', 'Protocol', 'TypeAlias', 'OtherNominalType'])

/** Whether a node of this kind can contain another declaration. */
export const isContext = (kind: Kind): boolean => contexts.has(kind)
export const isEntity = (kind: Kind): boolean => kind === 'Type' || contexts.has(kind)
export const isDeclName = (kind: Kind): boolean => declNames.has(kind)
export const isNominal = (kind: Kind): boolean => nominals.has(kind)

export function leaf(kind: Kind, text = '', index = 0): Node {
  return { kind, text, index, children: [] }
}

/** Creates a node; undefined if one of the children is undefined, so that a failure reaches the root. */
export function branch(kind: Kind, text: string, ...children: (Node | undefined)[]): Node | undefined {
  return children.every((child) => child !== undefined) ? { kind, text, index: 0, children } : undefined
}

/** Wraps `child` in a `Type` node, which most operators expect on the stack. */
export function type(child: Node | undefined): Node | undefined {
  return child && { kind: 'Type', text: '', index: 0, children: [child] }
}

/** Creates a node that prints a fixed phrase around its children, or before them if the phrase contains no `{n}`. */
export function phrase(text: string, ...children: (Node | undefined)[]): Node | undefined {
  return branch('Phrase', text, ...children)
}

export function childOf(node: Node | undefined, kind: Kind): Node | undefined {
  return node?.children.find((child) => child.kind === kind)
}

/** Returns the type inside of its `Type` nodes. */
export function bare(node: Node): Node {
  let inner = node
  while (inner.kind === 'Type' && inner.children[0]) inner = inner.children[0]
  return inner
}
