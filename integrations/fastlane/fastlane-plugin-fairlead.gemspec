# frozen_string_literal: true

Gem::Specification.new do |spec|
  spec.name = 'fastlane-plugin-fairlead'
  spec.version = '0.1.0'
  spec.author = 'Fairlead'
  spec.summary = 'Uploads builds to a Fairlead server'
  spec.license = 'MIT'
  spec.files = Dir['lib/**/*'] + ['README.md']
  spec.require_paths = ['lib']
  spec.required_ruby_version = '>= 2.7'
end
