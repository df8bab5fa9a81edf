/**
 * Writes C++ code with deep inlining: containers, algorithms and visitors of the standard library over its own types.
 */

/** Returns the source of one unit: namespace `app<number>` with `types` types and a function for each of them. */
export function writeUnit(number: number, types: number): string {
  const headers = 'vector map set string algorithm functional memory unordered_map variant optional deque list numeric'
  const includes = headers.split(' ').map((header) => `#include <${header}>`)
  const parts = Array.from({ length: types }, (_, index) => writeType(`Item${number}_${index}`, index))
  return [...includes, `namespace app${number} {`, ...parts, '}', ''].join('\n')
}

function writeType(type: string, index: number): string {
  return `
struct ${type} {
  int weight; std::string name; double price; long padding[${index + 1}];
  bool operator<(const ${type}& other) const { return name < other.name; }
};
struct Box${type} { std::vector<${type}> items; int code; };
using Any${type} = std::variant<int, std::string, ${type}, Box${type}>;
static inline int hash${index}(const ${type}& item) {
  int sum = item.weight;
  for (char letter : item.name) sum = sum * 31 + letter;
  return sum + (int)item.price;
}
struct Count${type} {
  int operator()(int value) const { return value; }
  int operator()(const std::string& text) const { return (int)text.size(); }
  int operator()(const ${type}& item) const { return hash${index}(item); }
  int operator()(const Box${type}& box) const {
    int sum = box.code;
    for (auto& item : box.items) sum += hash${index}(item);
    return sum;
  }
};
int work${index}(const std::vector<${type}>& input, const std::string& pattern) {
  std::map<std::string, ${type}> byName;
  for (auto& item : input) byName[item.name] = item;
  std::set<${type}> ordered(input.begin(), input.end());
  int sum = 0;
  for (auto& [name, item] : byName) if (name.find(pattern) != std::string::npos) sum += hash${index}(item);
  std::vector<${type}> copy(input);
  std::sort(copy.begin(), copy.end(), [](const ${type}& a, const ${type}& b) { return a.price < b.price; });
  std::stable_sort(copy.begin(), copy.end(), [](const ${type}& a, const ${type}& b) {
    return hash${index}(a) < hash${index}(b);
  });
  std::unordered_map<std::string, std::shared_ptr<${type}>> shared;
  for (auto& item : copy) shared.emplace(item.name, std::make_shared<${type}>(item));
  std::function<int(int)> add = [&](int value) { return value + sum + (int)shared.size(); };
  std::deque<${type}> queue(input.begin(), input.end());
  while (queue.size() > 3) { sum += hash${index}(queue.front()); queue.pop_front(); }
  std::list<Any${type}> mixed;
  for (auto& item : input) {
    mixed.emplace_back(item);
    mixed.emplace_back(item.name);
    mixed.emplace_back(Box${type}{copy, sum});
  }
  for (auto& any : mixed) sum += std::visit(Count${type}(), any);
  std::optional<${type}> best;
  for (auto& item : ordered) if (!best || best->price < item.price) best = item;
  sum += std::accumulate(copy.begin(), copy.end(), 0, [](int total, const ${type}& item) {
    return total + hash${index}(item);
  });
  return add(3) + (best ? best->weight : 0) + sum;
}`
}
